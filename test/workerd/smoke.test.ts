import { expect, test } from "vitest";
import { says } from "../scripted-upstream/script.ts";
import { client, scriptedModel, send } from "./gateway.ts";

test("x", async () => {
  const model = await scriptedModel(says("Hello there", { size: 2 }));
  const c = await client().chat.completions.create({ model: model.name, messages: [{ role: "user", content: "hi" }] });
  console.log(JSON.stringify(c));
  console.log(JSON.stringify(await model.requests()), await model.ending());
  const s = await send("POST", "/v1/chat/completions", { body: JSON.stringify({ model: model.name, stream: true, messages: [{ role: "user", content: "hi" }] }) });
  for await (const x of s.body!) console.log(new TextDecoder().decode(x));
  const f = await client().chat.completions.stream({ model: model.name, messages: [{ role: "user", content: "hi" }] });
  console.log(JSON.stringify(await f.finalChatCompletion()));
});
