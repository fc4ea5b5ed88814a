import type { DeclaredTool } from "./question.ts";

const string = { type: "string" };
const integer = { type: "integer" };

/** What the matrix's questions declare. */
export const TOOLS: readonly DeclaredTool[] = [
  {
    name: "get_weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: string, days: integer }, required: ["city"] },
  },
  {
    name: "write_file",
    description: "Writes a file",
    parameters: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  { name: "ping", description: "Answers", parameters: { type: "object", properties: {} } },
  {
    name: "save_record",
    description: "Saves a record",
    parameters: {
      type: "object",
      properties: {
        zip: string,
        code: string,
        count: integer,
        ratio: { type: "number" },
        active: { type: "boolean" },
        tags: { type: "array", items: string },
        scores: { type: "array", items: { type: "number" } },
        owner: { type: "object", properties: { name: string, age: integer } },
      },
      required: ["zip"],
    },
  },
];
