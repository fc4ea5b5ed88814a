/** On each wire the same reply, "Checking." and a call of get_weather, written down from the wire's description. */

const ID = "A".repeat(24);
const ARGUMENTS = '{"city":"Paris"}';
const data = (value: object | string) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
const named = (value: { type: string; [key: string]: unknown }) => `event: ${value.type}\n${data(value)}`;

const chatChunk = (choices: object[], more = {}) =>
  data({ id: `chatcmpl-${ID}`, object: "chat.completion.chunk", created: 1, model: "m", choices, ...more });
const chatDelta = (delta: object, finish_reason: string | null = null) =>
  chatChunk([{ index: 0, delta, logprobs: null, finish_reason }]);

export const CHAT = [
  chatDelta({ role: "assistant", content: "" }),
  chatDelta({ content: "Check" }),
  chatDelta({ content: "ing." }),
  chatDelta({
    tool_calls: [{ index: 0, id: `call_${ID}`, type: "function", function: { name: "get_weather", arguments: "" } }],
  }),
  chatDelta({ tool_calls: [{ index: 0, function: { arguments: ARGUMENTS } }] }),
  chatDelta({}, "tool_calls"),
  chatChunk([], { usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 } }),
  data("[DONE]"),
].join("");

const message = (status: string, text?: string) => ({
  type: "message",
  id: `msg_${ID}`,
  role: "assistant",
  status,
  content: text === undefined ? [] : [{ type: "output_text", text, annotations: [], logprobs: [] }],
});
const functionCall = (status: string, json: string) => ({
  type: "function_call",
  id: `fc_${ID}`,
  call_id: `call_${ID}`,
  name: "get_weather",
  arguments: json,
  status,
});
const response = (status: string, output: object[], usage: object | null) => ({
  id: `resp_${ID}`,
  object: "response",
  created_at: 1,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  model: "m",
  output,
  parallel_tool_calls: true,
  store: false,
  temperature: 1,
  top_p: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  metadata: {},
  usage,
});
const responsesUsage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 21,
};
const text = { item_id: `msg_${ID}`, output_index: 0, content_index: 0 };
const part = (said: string) => ({ type: "output_text", text: said, annotations: [], logprobs: [] });
const call = { item_id: `fc_${ID}`, output_index: 1 };
const items = [message("completed", "Checking."), functionCall("completed", ARGUMENTS)];

const responsesEvents: [string, object][] = [
  ["created", { response: response("in_progress", [], null) }],
  ["in_progress", { response: response("in_progress", [], null) }],
  ["output_item.added", { output_index: 0, item: message("in_progress") }],
  ["content_part.added", { ...text, part: part("") }],
  ["output_text.delta", { ...text, delta: "Check", logprobs: [] }],
  ["output_text.delta", { ...text, delta: "ing.", logprobs: [] }],
  ["output_text.done", { ...text, text: "Checking.", logprobs: [] }],
  ["content_part.done", { ...text, part: part("Checking.") }],
  ["output_item.done", { output_index: 0, item: items[0] }],
  ["output_item.added", { output_index: 1, item: functionCall("in_progress", "") }],
  ["function_call_arguments.delta", { ...call, delta: ARGUMENTS }],
  ["function_call_arguments.done", { ...call, name: "get_weather", arguments: ARGUMENTS }],
  ["output_item.done", { output_index: 1, item: items[1] }],
  ["completed", { response: response("completed", items, responsesUsage) }],
];

export const RESPONSES = responsesEvents
  .map(([type, event], sequence_number) => named({ type: `response.${type}`, sequence_number, ...event }))
  .join("");

const claudeUsage = { output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 2 };
const claudeStart = {
  id: `msg_${ID}`,
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, ...claudeUsage },
};

export const MESSAGES = [
  { type: "message_start", message: claudeStart },
  { type: "ping" },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Check" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ing." } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: `toolu_${ID}`, name: "get_weather", input: {} },
  },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: ARGUMENTS } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
]
  .map(named)
  .join("");

const geminiChunk = (parts: object[], ending: object = {}, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, ...ending, index: 0 }],
  ...more,
  modelVersion: "m",
  responseId: "r",
});
const geminiChunks = [
  geminiChunk([{ text: "Check" }]),
  geminiChunk([{ text: "ing." }]),
  geminiChunk(
    [{ functionCall: { id: `call_${ID}`, name: "get_weather", args: { city: "Paris" } } }],
    { finishReason: "STOP" },
    { usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 9, totalTokenCount: 21 } },
  ),
];

export const GEMINI = geminiChunks.map(data).join("");
export const GEMINI_ARRAY = `[${geminiChunks.map((chunk) => JSON.stringify(chunk)).join(",\n")}]`;
