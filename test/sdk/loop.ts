import type { JsonObject } from "../../src/conversation.ts";
import type { DeclaredTool } from "./question.ts";

/** A task that takes several turns: what is asked, and the program's tools. */
export interface Task {
  model: string;
  system: string;
  prompt: string;
  tools: readonly TaskTool[];
}

export interface TaskTool extends DeclaredTool {
  run(input: JsonObject): Result;
}

/** What a tool comes back with, as far as the client can say it. */
export type Result =
  | { type: "text"; text: string }
  | { type: "json"; value: JsonObject }
  | { type: "failure"; message: string }
  | { type: "image"; mediaType: string; data: string };

/** An image of one pixel. */
export const PIXEL = {
  type: "image",
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const satisfies Result;

/** What stands for it in a prompt. */
export const PLACEHOLDER = "[image: image/png, 1x1, 1 kB, not shown]";

/** A program that answers calls until there are none: the SDK's own runner where it has one. */
export interface Loop {
  name: string;
  /** @returns what the model says last */
  run(task: Task): Promise<string>;
  /** How results are to look in the prompt where this client cannot send them as they are. */
  shown?: Partial<ShownResults>;
  /** Its text is no part of the history that the client sends. */
  forgetsText?: true;
}

/** What the model has to be shown of each result. */
export interface ShownResults {
  json: string;
  /** Undefined: what the client sends is no result of this call. */
  image: string | undefined;
  /** What stands behind the results. */
  behind: string;
  failure: string;
  failed: boolean;
}

export function runTool(task: Task, name: string, input: unknown): Result {
  const tool = task.tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(input as JsonObject);
}

/** For a wire whose results are text alone: what a program makes of the others. */
export function asText(result: Result): string {
  switch (result.type) {
    case "text":
      return result.text;
    case "json":
      return JSON.stringify(result.value);
    case "failure":
      return `Error: ${result.message}`;
    case "image":
      return "An image.";
    default:
      return result satisfies never;
  }
}

export const asTextShown: Partial<ShownResults> = { failure: "Error: no such file", failed: false, image: "An image." };
