import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { anthropic } from "../clients/anthropic.ts";
import { asText, type Loop, type Result, type Task } from "../loop.ts";
import { GATEWAY } from "../question.ts";

const runnables = ({ tools }: Task) =>
  tools.map(
    ({ name, description, parameters, run }): BetaRunnableTool => ({
      type: "custom",
      name,
      description,
      input_schema: parameters,
      parse: (input) => input,
      run: async (input) => contentOf(run(input as Parameters<typeof run>[0])),
    }),
  );

function contentOf(result: Result) {
  if (result.type === "failure") throw new ToolError(result.message);
  if (result.type !== "image") return asText(result);
  const source = { type: "base64" as const, media_type: result.mediaType as "image/png", data: result.data };
  return [{ type: "image" as const, source }];
}

const bodyOf = (task: Task) => ({
  model: task.model,
  max_tokens: 4096,
  system: task.system,
  messages: [{ role: "user" as const, content: task.prompt }],
  tools: runnables(task),
});

type Runner = Pick<BetaToolRunner<boolean>, "runUntilDone">;

async function finish(runner: Runner): Promise<string> {
  const { content } = await runner.runUntilDone();
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

const run = (task: Task, more: { thread?: false; stream?: true }) =>
  finish(anthropic(GATEWAY).beta.messages.toolRunner({ ...bodyOf(task), ...more }));

export const ANTHROPIC_LOOPS: readonly Loop[] = [
  { name: "anthropic toolRunner", run: (task) => run(task, { thread: false }) },
  { name: "anthropic toolRunner, streamed", run: (task) => run(task, { thread: false, stream: true }) },
  // By default it asks the server to keep the conversation, and sends all of it where that is refused.
  { name: "anthropic toolRunner that asks for a thread", run: (task) => run(task, {}) },
];
