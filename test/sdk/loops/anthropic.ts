import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import type { BetaMessage } from "@anthropic-ai/sdk/resources/beta/messages";
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

const textOf = ({ content }: BetaMessage) => content.map((block) => (block.type === "text" ? block.text : "")).join("");

export const ANTHROPIC_LOOPS: readonly Loop[] = [
  {
    name: "anthropic toolRunner",
    run: async (task) => textOf(await anthropic(GATEWAY).beta.messages.toolRunner(bodyOf(task)).runUntilDone()),
  },
  {
    name: "anthropic toolRunner, streamed",
    run: async (task) =>
      textOf(
        await anthropic(GATEWAY)
          .beta.messages.toolRunner({ ...bodyOf(task), stream: true })
          .runUntilDone(),
      ),
  },
];
