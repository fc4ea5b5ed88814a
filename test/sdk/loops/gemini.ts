import {
  type CallableTool,
  type Chat,
  createPartFromFunctionResponse,
  type FunctionCall,
  type Part,
} from "@google/genai";
import { genai } from "../clients/gemini.ts";
import { type Loop, PLACEHOLDER, type Result, runTool, type Task } from "../loop.ts";
import { GATEWAY } from "../question.ts";

const declarationsOf = ({ tools }: Task) => ({
  functionDeclarations: tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  })),
});

function responseOf(task: Task, { id = "", name = "", args }: FunctionCall): Part {
  const result = runTool(task, name, args);
  if (result.type !== "image") return createPartFromFunctionResponse(id, name, bodyOf(result));
  const { mediaType: mimeType, data } = result;
  return createPartFromFunctionResponse(id, name, { output: "Taken." }, [{ inlineData: { mimeType, data } }]);
}

function bodyOf(result: Exclude<Result, { type: "image" }>): Record<string, unknown> {
  if (result.type === "text") return { output: result.text };
  return result.type === "json" ? result.value : { error: result.message };
}

async function runChat(task: Task, send: (chat: Chat, message: string | Part[]) => Promise<Said>): Promise<string> {
  const config = { systemInstruction: task.system, tools: [declarationsOf(task)] };
  const chat = genai(GATEWAY).chats.create({ model: task.model, config });
  let said = await send(chat, task.prompt);
  while (said.calls.length > 0) {
    said = await send(
      chat,
      said.calls.map((call) => responseOf(task, call)),
    );
  }
  return said.text;
}

interface Said {
  text: string;
  calls: FunctionCall[];
}

/** The SDK's automatic function calling: it runs the tools itself. */
const callable = (task: Task): CallableTool => ({
  tool: async () => declarationsOf(task),
  callTool: async (calls) => calls.map((call) => responseOf(task, call)),
});

const shown = { image: `Taken.\n\n${PLACEHOLDER}` };

export const GEMINI_LOOPS: readonly Loop[] = [
  {
    name: "genai chat.sendMessage",
    shown,
    run: (task) =>
      runChat(task, async (chat, message) => {
        const { text = "", functionCalls: calls = [] } = await chat.sendMessage({ message });
        return { text, calls };
      }),
  },
  {
    name: "genai chat.sendMessageStream",
    shown,
    run: (task) =>
      runChat(task, async (chat, message) => {
        const said: Said = { text: "", calls: [] };
        for await (const { text = "", functionCalls = [] } of await chat.sendMessageStream({ message })) {
          said.text += text;
          said.calls.push(...functionCalls);
        }
        return said;
      }),
  },
  {
    name: "genai generateContent, functions called by itself",
    shown,
    async run(task) {
      const config = { systemInstruction: task.system, tools: [callable(task)] };
      const { text } = await genai(GATEWAY).models.generateContent({
        model: task.model,
        contents: task.prompt,
        config,
      });
      return text ?? "";
    },
  },
];
