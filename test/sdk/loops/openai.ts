import type { RunnableToolFunctionWithParse } from "openai/lib/RunnableFunction";
import type { ResponseInput, ResponseOutputItem } from "openai/resources/responses/responses";
import type { JsonObject } from "../../../src/conversation.ts";
import { openai } from "../clients/openai-chat.ts";
import { asText, asTextShown, type Loop, type Result, runTool, type Task } from "../loop.ts";
import { GATEWAY } from "../question.ts";

const messagesOf = ({ system, prompt }: Task) => [
  { role: "system" as const, content: system },
  { role: "user" as const, content: prompt },
];

const runnables = ({ tools }: Task) =>
  tools.map(
    ({ run, ...declared }): RunnableToolFunctionWithParse<JsonObject> => ({
      type: "function",
      function: {
        ...declared,
        parameters: { ...declared.parameters },
        parse: (json: string): JsonObject => JSON.parse(json),
        function: (input) => asText(run(input)),
      },
    }),
  );

const CHAT: readonly Loop[] = [
  {
    name: "openai runTools",
    shown: asTextShown,
    async run(task) {
      const body = { model: task.model, messages: messagesOf(task), tools: runnables(task) };
      return (await openai(GATEWAY).chat.completions.runTools(body).finalContent()) ?? "";
    },
  },
  {
    name: "openai runTools, streamed",
    shown: asTextShown,
    async run(task) {
      const body = { model: task.model, messages: messagesOf(task), tools: runnables(task), stream: true as const };
      return (await openai(GATEWAY).chat.completions.runTools(body).finalContent()) ?? "";
    },
  },
];

/** One request of a loop that the program runs itself, since the SDK has no runner for this wire. */
type Ask = (task: Task, input: ResponseInput) => Promise<ResponseOutputItem[]>;

const bodyOf = ({ model, system, tools }: Task, input: ResponseInput) => ({
  model,
  instructions: system,
  input,
  store: false,
  tools: tools.map(({ run, ...declared }) => ({ type: "function" as const, strict: false, ...declared })),
});

async function runResponses(task: Task, ask: Ask): Promise<string> {
  const input: ResponseInput = [{ role: "user", content: task.prompt }];
  for (;;) {
    const output = await ask(task, input);
    const calls = output.filter((item) => item.type === "function_call");
    const messages = output.filter((item) => item.type === "message");
    if (calls.length === 0) {
      return messages.flatMap(({ content }) => content.map((part) => ("text" in part ? part.text : ""))).join("");
    }
    input.push(...messages, ...calls);
    const results = calls.map(({ call_id, name, arguments: json }) => ({
      type: "function_call_output" as const,
      call_id,
      output: outputOf(runTool(task, name, JSON.parse(json))),
    }));
    // In whatever order they are ready.
    input.push(...results.toReversed());
  }
}

function outputOf(result: Result) {
  if (result.type !== "image") return asText(result);
  const image_url = `data:${result.mediaType};base64,${result.data}`;
  return [{ type: "input_image" as const, detail: "auto" as const, image_url }];
}

const { image: _, ...shownResponses } = asTextShown;

const RESPONSES: readonly Loop[] = [
  {
    name: "openai responses.create",
    shown: shownResponses,
    run: (task) =>
      runResponses(task, async (of, input) => (await openai(GATEWAY).responses.create(bodyOf(of, input))).output),
  },
  {
    name: "openai responses.stream",
    shown: shownResponses,
    run: (task) =>
      runResponses(
        task,
        async (of, input) => (await openai(GATEWAY).responses.stream(bodyOf(of, input)).finalResponse()).output,
      ),
  },
];

export const OPENAI_LOOPS = [...CHAT, ...RESPONSES];
