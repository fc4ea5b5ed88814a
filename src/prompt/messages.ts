import type { CallPart, Content } from "../conversation.ts";

/** What an upstream is asked; one that knows no tools gets text in turns and nothing else. */
export type UpstreamMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: Content }
  | { role: "assistant"; content: string; calls?: readonly MessageCall[]; reasoning?: string }
  /** The result of one call. */
  | { role: "tool"; content: string; callId: string };

export type MessageCall = Pick<CallPart, "id" | "name" | "input">;
