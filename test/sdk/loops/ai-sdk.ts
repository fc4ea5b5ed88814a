import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool } from "ai";
import { PROVIDERS, type Provider } from "../clients/ai-sdk.ts";
import { type Loop, PIXEL, PLACEHOLDER, type Result, type Task } from "../loop.ts";
import { GATEWAY } from "../question.ts";

const toolsOf = ({ tools }: Task) =>
  Object.fromEntries(
    tools.map(({ name, description, parameters, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Parameters<typeof run>[0]>(parameters as Parameters<typeof jsonSchema>[0]),
        execute: (input): Result => {
          const result = run(input);
          if (result.type === "failure") throw new Error(result.message);
          return result;
        },
        toModelOutput: ({ output }) => outputOf(output),
      }),
    ]),
  ) as ToolSet;

function outputOf(result: Result) {
  if (result.type === "text") return { type: "text" as const, value: result.text };
  if (result.type === "json") return { type: "json" as const, value: result.value };
  if (result.type === "failure") return { type: "error-text" as const, value: result.message };
  return { type: "content" as const, value: [filePart(result)] };
}

const filePart = ({ mediaType, data }: Extract<Result, { type: "image" }>) => ({
  type: "file" as const,
  mediaType,
  data: { type: "data" as const, data },
});

function settingsOf(task: Task, { model }: Provider, store: boolean) {
  return {
    model: model(task.model, GATEWAY),
    instructions: task.system,
    prompt: task.prompt,
    tools: toolsOf(task),
    stopWhen: isStepCount(5),
    maxRetries: 0,
    providerOptions: { openai: { store } },
  };
}

interface Rest extends Pick<Loop, "shown" | "forgetsText"> {
  /** To tell it from the provider's other loops. */
  suffix?: string;
  store?: boolean;
}

function loops(provider: Provider, { suffix = "", store = false, ...rest }: Rest): Loop[] {
  const name = `${provider.name}${suffix}`;
  return [
    {
      ...rest,
      name: `${name} generateText`,
      run: async (task) => (await generateText(settingsOf(task, provider, store))).text,
    },
    {
      ...rest,
      name: `${name} streamText`,
      run: async (task) => await streamText(settingsOf(task, provider, store)).text,
    },
  ];
}

/** What it makes of an exception, where the wire can mark it and where it cannot. */
const marked = { failure: "Error: no such file" };
const unmarked = { ...marked, failed: false };
const asJson = { failure: '{"error":"Error: no such file"}', failed: false };

/** To models of this maker that it does not know as new ones it sends an image as no result, but beside the results. */
const beside = {
  ...marked,
  image: undefined,
  behind: `\n\n${PLACEHOLDER}\n\nTool executed successfully and returned this image as a response`,
};

export const AI_SDK_LOOPS: readonly Loop[] = [
  ...loops(PROVIDERS.openai, { shown: asJson }),
  // Left to store what was said, it sends earlier text as a reference, which says nothing where nothing is stored.
  ...loops(PROVIDERS.openai, { shown: asJson, suffix: ", storing", store: true, forgetsText: true }),
  ...loops(PROVIDERS.openaiChat, { shown: { ...asJson, image: JSON.stringify([filePart(PIXEL)]) } }),
  ...loops(PROVIDERS.compatible, { shown: unmarked }),
  ...loops(PROVIDERS.anthropic, { shown: marked }),
  ...loops(PROVIDERS.google, { shown: beside }),
];
