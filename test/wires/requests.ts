import type { JsonObject, JsonSchema } from "../../src/conversation.ts";

/** What a client asks, in the words of no wire; each of the functions below says it in those of one. */
export interface WireRequest {
  system?: string;
  turns: RequestTurn[];
  tools?: RequestTool[];
  toolChoice?: "auto" | "none" | "required" | { name: string };
  /** False: one call at most. */
  parallel?: boolean;
  maxTokens?: number;
  stop?: string[];
}

type RequestTurn =
  | { user: string }
  | { assistant: string; calls?: { id: string; name: string; input: JsonObject }[] }
  | { results: { id: string; name: string; output: string }[] };

export interface RequestTool {
  name: string;
  description?: string;
  parameters: JsonSchema;
}

/** Reasoning is shown unless it is switched off; usage in a stream comes only where it is asked for. */
export function writeChat({ system, turns, tools, toolChoice, ...rest }: WireRequest, stream: boolean): object {
  const messages = turns.flatMap((turn): object[] => {
    if ("user" in turn) return [{ role: "user", content: turn.user }];
    if ("results" in turn) {
      return turn.results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output }));
    }
    const calls = turn.calls?.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [{ role: "assistant", content: turn.assistant, ...(calls && { tool_calls: calls }) }];
  });
  return {
    messages: [...(system === undefined ? [] : [{ role: "system", content: system }]), ...messages],
    tools: tools?.map((tool) => ({ type: "function", function: tool })),
    tool_choice: typeof toolChoice === "object" ? { type: "function", function: toolChoice } : toolChoice,
    parallel_tool_calls: rest.parallel,
    max_tokens: rest.maxTokens,
    stop: rest.stop,
    ...(stream && { stream_options: { include_usage: true } }),
  };
}

/** A history is a flat list of items; reasoning is shown where a summary of it is asked for. */
export function writeResponses({ system, turns, tools, toolChoice, ...rest }: WireRequest): object {
  const input = turns.flatMap((turn): object[] => {
    if ("user" in turn) return [{ role: "user", content: [{ type: "input_text", text: turn.user }] }];
    if ("results" in turn) {
      return turn.results.map(({ id, output }) => ({ type: "function_call_output", call_id: id, output }));
    }
    const calls = turn.calls ?? [];
    const content = [{ type: "output_text", text: turn.assistant, annotations: [] }];
    return [
      ...(turn.assistant === "" ? [] : [{ type: "message", role: "assistant", content }]),
      ...calls.map(({ id, name, input }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      })),
    ];
  });
  return {
    instructions: system,
    input,
    tools: tools?.map((tool) => ({ type: "function", ...tool })),
    tool_choice: typeof toolChoice === "object" ? { type: "function", ...toolChoice } : toolChoice,
    parallel_tool_calls: rest.parallel,
    max_output_tokens: rest.maxTokens,
    reasoning: { summary: "auto" },
    store: false,
  };
}

const CLAUDE_CHOICES = { auto: "auto", none: "none", required: "any" };

/** Calls and results are blocks of the turns; `max_tokens` is obligatory; thinking is shown where it is switched on. */
export function writeMessages({ system, turns, tools, toolChoice, ...rest }: WireRequest): object {
  const messages = turns.map((turn) => {
    if ("user" in turn) return { role: "user", content: turn.user };
    if ("results" in turn) {
      const content = turn.results.map(({ id, output }) => ({ type: "tool_result", tool_use_id: id, content: output }));
      return { role: "user", content };
    }
    const text = turn.assistant === "" ? [] : [{ type: "text", text: turn.assistant }];
    return {
      role: "assistant",
      content: [...text, ...(turn.calls ?? []).map((call) => ({ type: "tool_use", ...call }))],
    };
  });
  const choice =
    typeof toolChoice === "object"
      ? { type: "tool", ...toolChoice }
      : (toolChoice || rest.parallel === false) && { type: CLAUDE_CHOICES[toolChoice ?? "auto"] };
  return {
    system,
    messages,
    tools: tools?.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    ...(choice && { tool_choice: { ...choice, ...(rest.parallel === false && { disable_parallel_tool_use: true }) } }),
    max_tokens: rest.maxTokens ?? 4096,
    stop_sequences: rest.stop,
    thinking: { type: "enabled", budget_tokens: 1024 },
  };
}

const GEMINI_MODES = { auto: "AUTO", none: "NONE", required: "ANY" };

/** The model and whether to stream are in the path; the assistant is called model, results are told by name. */
export function writeGemini({ system, turns, tools, toolChoice, ...rest }: WireRequest): object {
  const contents = turns.map((turn) => {
    if ("user" in turn) return { role: "user", parts: [{ text: turn.user }] };
    if ("results" in turn) {
      const parts = turn.results.map(({ id, name, output }) => ({
        functionResponse: { id, name, response: { output } },
      }));
      return { role: "user", parts };
    }
    const text = turn.assistant === "" ? [] : [{ text: turn.assistant }];
    const calls = (turn.calls ?? []).map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
    return { role: "model", parts: [...text, ...calls] };
  });
  const config =
    typeof toolChoice === "object"
      ? { mode: "ANY", allowedFunctionNames: [toolChoice.name] }
      : toolChoice && { mode: GEMINI_MODES[toolChoice] };
  return {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents,
    ...(tools && { tools: [{ functionDeclarations: tools.map(writeDeclaration) }] }),
    ...(config && { toolConfig: { functionCallingConfig: config } }),
    generationConfig: {
      maxOutputTokens: rest.maxTokens,
      stopSequences: rest.stop,
      thinkingConfig: { includeThoughts: true },
    },
  };
}

const writeDeclaration = ({ parameters, ...tool }: RequestTool) => ({ ...tool, parametersJsonSchema: parameters });
