/**
 * What the scripted upstream answers with. Plain JSON, because tests in workerd send it over HTTP; the building blocks
 * below write it as a server of open models would.
 */
export interface Script {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** Default: an empty body. */
  steps?: Step[];
}

export type Step =
  /** Written at once, or in writes of so many bytes: cuts then fall inside characters, too. */
  | { send: string; bytes?: number }
  /** Waits until the test opens the gate, once for each time that it does. */
  | "gate"
  /** Never goes on. As the first step: not even the status is sent. */
  | "hang"
  /** Breaks the connection. As the first step: before the status. */
  | "reset";

/** What one request brought. */
export interface ReceivedRequest {
  headers: Record<string, string>;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    stop?: string[];
    [field: string]: unknown;
  };
}

/** How an answer came to its end: all of it was sent, or the gateway went away before. */
export type Ending = "sent" | "abandoned";

export const event = (data: object | string) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

const FRAME = { id: "cc-1", object: "chat.completion.chunk", created: 1, model: "m" };

export const chunk = (delta: object, finish: string | null = null) =>
  event({ ...FRAME, choices: [{ index: 0, delta, finish_reason: finish }] });

export const DONE = event("[DONE]");

export interface Saying {
  /** Characters of a delta; default: one delta. */
  size?: number;
  /** Default `stop`; null: none at all. */
  finish?: string | null;
  /** Comes before the text. */
  reasoning?: string;
  /** Tokens of the prompt and of the answer. */
  usage?: [number, number];
}

/** A model's whole answer, each delta in a write of its own. */
export function says(text: string, { size, finish = "stop", reasoning, usage }: Saying = {}): Script {
  const events = [
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...pieces(text, size).map((content) => chunk({ content })),
    ...(finish === null ? [] : [chunk({}, finish)]),
    ...(usage ? [event({ ...FRAME, choices: [], usage: usageOf(usage) })] : []),
    DONE,
  ];
  return { steps: events.map((send) => ({ send })) };
}

const usageOf = ([prompt, completion]: [number, number]) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** Between code points, as a server that sends JSON in UTF-8 cuts. */
function pieces(text: string, size = text.length): string[] {
  if (text === "") return [];
  const points = Array.from(text);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size).join(""),
  );
}

/** A refusal, or any other body that is no event stream. */
export function answers(status: number, body: object | string, headers: Record<string, string> = {}): Script {
  const [type, send] = typeof body === "string" ? ["text/html", body] : ["application/json", JSON.stringify(body)];
  return { status, headers: { "content-type": type, ...headers }, steps: [{ send }] };
}
