import type { ChatCompletionFunctionTool } from "openai/resources/chat/completions";

const tool = (name: string, properties: object): ChatCompletionFunctionTool => ({
  type: "function",
  function: {
    name,
    description: `The ${name} tool`,
    parameters: { type: "object", properties, required: Object.keys(properties).slice(0, 1) },
  },
});

/** Tools that a client declares. */
export const READ_FILE = tool("read_file", { path: { type: "string" }, lines: { type: "integer" } });
export const GET_WEATHER = tool("get_weather", { city: { type: "string" }, days: { type: "integer" } });
export const WRITE_FILE = tool("write_file", { path: { type: "string" }, content: { type: "string" } });
export const PING = tool("ping", {});

export const TOOLS = [READ_FILE, GET_WEATHER, WRITE_FILE, PING];
