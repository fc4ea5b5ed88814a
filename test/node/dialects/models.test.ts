import { describe, expect, test } from "vitest";
import { findTaught, isDialect } from "../../../src/dialects/all.ts";
import { familyOf, MODEL_NOTATIONS, notationsOf } from "../../../src/dialects/models.ts";

/** Names as hosts have them, with what is in front of them and behind. */
const NAMES: readonly (readonly [model: string, notations: string])[] = [
  // vLLM, SGLang: repositories
  ["Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", "qwen3_coder hermes"],
  ["Qwen/Qwen3-Coder-Next", "qwen3_coder hermes"],
  ["Qwen/Qwen3.5-397B-A17B", "qwen3_coder hermes"],
  ["Qwen/Qwen3-235B-A22B-Thinking-2507", "hermes"],
  ["Qwen/Qwen3-VL-8B-Instruct", "hermes"],
  ["Qwen/Qwen2.5-Coder-32B-Instruct-AWQ", "hermes fenced_json"],
  ["Qwen/Qwen2.5-72B-Instruct", "hermes"],
  ["Qwen/Qwen2-7B-Instruct", "hermes qwen_fncall react"],
  ["Qwen/QwQ-32B", "hermes"],
  ["NousResearch/Hermes-3-Llama-3.1-8B", "hermes"],
  ["NousResearch/Hermes-4-405B", "hermes"],
  ["HuggingFaceTB/SmolLM3-3B", "hermes"],
  ["LGAI-EXAONE/EXAONE-4.0-32B", "exaone4"],
  ["LGAI-EXAONE/K-EXAONE-236B-A23B", "qwen3_coder hermes"],
  ["XiaomiMiMo/MiMo-V2-Flash", "qwen3_coder hermes"],
  ["stepfun-ai/Step-3.5-Flash", "qwen3_coder hermes"],
  ["stepfun-ai/step3", "step3"],
  ["deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v31"],
  ["deepseek-ai/DeepSeek-V3.2", "deepseek_v32 hermes"],
  ["deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek_v31"],
  ["deepseek-ai/DeepSeek-V3-0324", "deepseek_v3 openai_json"],
  ["deepseek-ai/DeepSeek-V4-Pro", "deepseek_v4 hermes"],
  ["deepseek-ai/DeepSeek-R1-0528", "deepseek_v3 openai_json"],
  ["deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", "hermes"],
  ["deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama3_json"],
  ["unsloth/DeepSeek-R1-Distill-Qwen-14B-bnb-4bit", "hermes"],
  ["moonshotai/Kimi-K2-Instruct-0905", "kimi_k2"],
  ["moonshotai/Kimi-K2.5", "kimi_k2"],
  ["moonshotai/Kimi-K3", "kimi_k3"],
  ["zai-org/GLM-4.5-Air-FP8", "glm45 hermes"],
  ["zai-org/GLM-4.6", "glm45 hermes"],
  ["zai-org/GLM-4.7-Flash", "glm47 hermes"],
  ["zai-org/GLM-5", "glm47 hermes"],
  ["zai-org/GLM-4-9B-0414", "glm4_old"],
  ["MiniMaxAI/MiniMax-M2.5", "minimax_m2"],
  ["MiniMaxAI/MiniMax-Text-01", "minimax_m1"],
  ["openai/gpt-oss-120b", "canonical harmony"],
  ["meta-llama/Llama-3.1-8B-Instruct", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["RedHatAI/Meta-Llama-3.1-70B-Instruct-FP8", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["meta-llama/Llama-3.2-3B-Instruct", "pythonic llama3_json"],
  ["meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", "llama4_pythonic pythonic llama3_json"],
  ["nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", "nemotron_json llama3_json"],
  ["nvidia/NVIDIA-Nemotron-Nano-9B-v2", "nemotron_json"],
  ["nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "qwen3_coder hermes"],
  ["Salesforce/Llama-xLAM-2-8b-fc-r", "xlam"],
  ["Groq/Llama-3-Groq-8B-Tool-Use", "hermes"],
  ["llama3-groq-tool-use:70b", "hermes"],
  ["nvidia/Nemotron-Orchestrator-8B", "hermes"],
  ["ServiceNow-AI/Apriel-Nemotron-15b-Thinker", "apriel"],
  ["PrimeIntellect/INTELLECT-3-FP8", "qwen3_coder hermes"],
  ["deepcogito/cogito-v1-preview-qwen-14B", "hermes"],
  ["cogito:8b", "hermes"],
  ["cogito-2.1:671b", "deepseek_v31 deepseek_v3"],
  ["accounts/fireworks/models/cogito-671b-v2-p1", "deepseek_v31 deepseek_v3"],
  ["labs-devstral-small-2512", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["Team-ACE/ToolACE-2-Llama-3.1-8B", "pythonic llama3_json"],
  ["meetkai/functionary-medium-v3.1", "llama3_custom"],
  ["meetkai/functionary-small-v3.2", "functionary_v32"],
  ["fireworks-ai/llama-3-firefunction-v2", "firefunction_v2"],
  ["mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["mistralai/Devstral-Small-2507", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["microsoft/Phi-4-mini-instruct", "phi4_mini phi4_mini_tag"],
  ["microsoft/phi-4", "canonical"],
  ["google/gemma-3-27b-it", "bare_json gemma3_tool_code pythonic"],
  ["google/functiongemma-270m-it", "functiongemma"],
  ["ibm-granite/granite-4.0-h-small", "granite4 granite_pythonic"],
  ["ibm-granite/granite-3.1-8b-instruct", "granite3 granite_pythonic"],
  ["ibm-granite/granite-20b-functioncalling", "granite-20b-fc"],
  ["CohereLabs/c4ai-command-a-03-2025", "cohere_command3"],
  ["CohereLabs/c4ai-command-r7b-12-2024", "cohere_command3"],
  ["CohereLabs/c4ai-command-r-plus-08-2024", "command_r"],
  ["internlm/internlm2_5-7b-chat", "internlm2"],
  ["tencent/Hunyuan-A13B-Instruct", "hunyuan_a13b"],
  ["baidu/ERNIE-4.5-21B-A3B-Thinking", "ernie45"],
  ["ByteDance-Seed/Seed-OSS-36B-Instruct", "seed_oss"],
  ["meituan-longcat/LongCat-Flash-Chat", "longcat longcat_json"],
  ["ai21labs/AI21-Jamba-Large-1.6", "jamba"],
  ["allenai/Olmo-3-32B-Think", "olmo3"],
  ["LiquidAI/LFM2-8B-A1B", "lfm2 pythonic"],
  ["swiss-ai/Apertus-70B-Instruct-2509", "apertus"],
  // Ollama: tags
  ["qwen3:8b", "hermes"],
  ["qwen3-coder:30b", "qwen3_coder hermes"],
  ["llama3.1:70b-instruct", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["llama3.2", "pythonic llama3_json"],
  ["gemma3:27b-it-qat", "bare_json gemma3_tool_code pythonic"],
  ["gemma4:e4b", "gemma4"],
  ["phi4:14b", "canonical"],
  ["phi4-mini:3.8b", "phi4_mini phi4_mini_tag"],
  ["deepseek-v3.1:671b-cloud", "deepseek_v31"],
  ["gpt-oss:20b", "canonical harmony"],
  ["mistral-small3.2:24b", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["hf.co/bartowski/Meta-Llama-3.1-8B-Instruct-GGUF:Q4_K_M", "llama3_json llama3_custom llama3_builtin pythonic"],
  // OpenRouter
  ["qwen/qwen-2.5-72b-instruct", "hermes"],
  ["qwen/qwen3-coder:free", "qwen3_coder hermes"],
  ["deepseek/deepseek-chat-v3.1:free", "deepseek_v31"],
  ["deepseek/deepseek-v3.2-exp", "deepseek_v31"],
  ["anthropic/claude-sonnet-4.5", "claude_xml claude_xml_ns"],
  ["mistralai/mixtral-8x22b-instruct", "mistral_v11 mistral_v11_call_id mistral_old"],
  // the makers' own APIs
  ["deepseek-chat", "deepseek_v32 deepseek_v4"],
  ["kimi-k2-0905-preview", "kimi_k2"],
  ["MiniMax-M2", "minimax_m2"],
  // Fireworks
  ["accounts/fireworks/models/llama-v3p1-405b-instruct", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["accounts/fireworks/models/llama-v3p2-3b-instruct", "pythonic llama3_json"],
  ["accounts/fireworks/models/deepseek-v3p1", "deepseek_v31"],
  ["accounts/fireworks/models/glm-4p5", "glm45 hermes"],
  // Workers AI
  ["@cf/meta/llama-3.1-8b-instruct", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["@cf/meta/llama-4-scout-17b-16e-instruct", "llama4_pythonic pythonic llama3_json"],
  ["@cf/qwen/qwen2.5-coder-32b-instruct", "hermes fenced_json"],
  ["@cf/qwen/qwq-32b", "hermes"],
  ["@cf/qwen/qwen3-30b-a3b-fp8", "hermes"],
  ["@cf/qwen/qwen1.5-14b-chat-awq", "hermes qwen_fncall react"],
  ["@cf/deepseek-ai/deepseek-r1-distill-qwen-32b", "hermes"],
  ["@cf/google/gemma-3-12b-it", "bare_json gemma3_tool_code pythonic"],
  ["@cf/openai/gpt-oss-20b", "canonical harmony"],
  ["@hf/nousresearch/hermes-2-pro-mistral-7b", "hermes"],
  ["@hf/mistral/mistral-7b-instruct-v0.2", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["deepseek-r1:1.5b", "hermes"],
  ["deepseek-r1:7b", "hermes"],
  ["deepseek-r1:14b-qwen-distill-q4_K_M", "hermes"],
  ["deepseek-r1:32b", "hermes"],
  ["deepseek-r1:8b", "hermes llama3_json"],
  ["deepseek-r1:8b-0528-qwen3-q8_0", "hermes"],
  ["deepseek-r1:8b-llama-distill-fp16", "llama3_json"],
  ["deepseek-r1:70b", "llama3_json"],
  ["deepseek-r1:671b", "deepseek_v3 openai_json"],
  ["deepseek-r1", "deepseek_v3 openai_json"],
  // Bedrock: an owner in front, at times a region before it, and versions without a point
  ["openai.gpt-oss-120b-1:0", "canonical harmony"],
  ["anthropic.claude-sonnet-4-20250514-v1:0", "claude_xml claude_xml_ns"],
  ["us.anthropic.claude-3-5-haiku-20241022-v1:0", "claude_xml claude_xml_ns"],
  ["qwen.qwen3-coder-480b-a35b-v1:0", "qwen3_coder hermes"],
  ["qwen.qwen3-32b-v1:0", "hermes"],
  ["us.meta.llama3-2-3b-instruct-v1:0", "pythonic llama3_json"],
  ["meta.llama3-8b-instruct-v1:0", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["deepseek.r1-v1:0", "deepseek_v3 openai_json"],
  ["deepseek.v3-v1:0", "deepseek_v31"],
  ["ai21.jamba-1-5-large-v1:0", "jamba"],
  // files and folders
  ["/models/Mistral-Small-3.2/", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["/models/Qwen3-8B//", "hermes"],
  ["Qwen/", "hermes"],
  ["C:\\models\\qwen3-coder-30b.gguf", "qwen3_coder hermes"],
  ["unsloth_Qwen3-Coder-30B", "qwen3_coder hermes"],
  ["bartowski_Qwen2.5-Coder-32B", "hermes fenced_json"],
  ["lmstudio-community_gpt-oss-20b", "canonical harmony"],
  // underscores for blanks and points
  ["gpt_oss_20b", "canonical harmony"],
  ["Qwen3_5-27B", "qwen3_coder hermes"],
  ["glm-4-6", "glm45 hermes"],
  ["hermes_3_llama_3_1_8b", "hermes"],
  ["deepseek_r1_distill_llama_8b", "llama3_json"],
  // relatives
  ["mistralai/Voxtral-Small-24B-2507", "mistral_v11 mistral_v11_call_id mistral_old"],
  ["tngtech/DeepSeek-TNG-R1T2-Chimera", "deepseek_v3 openai_json"],
  // names that say nothing
  ["gpt-5.2", ""],
  ["gemini-3-pro", ""],
  ["my-model", ""],
  ["my.own_model", ""],
  ["/", ""],
  ["", ""],
  // only ASCII letters are folded: a Kelvin sign is no k
  ["\u212aimi-K2", ""],
];

describe("what a model is expected to write", () => {
  test.each(NAMES)("%s: %s", (model, notations) => {
    expect(notationsOf(model).expected.join(" ")).toBe(notations);
  });

  const patterns = MODEL_NOTATIONS.flatMap(([patterns, expected, told = expected.split(" ")[0] ?? ""]) =>
    patterns.split(" ").map((pattern) => [pattern, told, expected] as const),
  );

  test.each(patterns)("%s is not hidden by a row before it", (pattern, taught, expected) => {
    const model = pattern.replaceAll("*", "");
    expect([notationsOf(model).taught, notationsOf(model).expected.join(" ")]).toEqual([taught, expected]);
  });

  test("every notation of the table exists", () => {
    const named = MODEL_NOTATIONS.flatMap(([, expected]) => expected.split(" "));
    expect(named.filter((name) => !isDialect(name))).toEqual([]);
    expect(patterns.filter(([, taught]) => !findTaught(taught))).toEqual([]);
  });
});

test.each([
  ["moonshotai/Kimi-K2.5", true],
  ["openai/gpt-oss-120b", true],
  ["mistralai/Devstral-Small-2507", true],
  ["google/gemma-4-27b-it", true],
  ["deepseek-chat", true],
  ["google/gemma-3-27b-it", false],
  ["Qwen/Qwen3-8B", false],
  ["deepseek-ai/DeepSeek-V3.2", false],
  ["my-model", false],
])("%s is better given tools than taught: %s", (model, native) => {
  expect(notationsOf(model).native).toBe(native);
});

test.each([
  ["MiniMaxAI/MiniMax-M2.5", true],
  ["minimax-m2:cloud", true],
  ["MiniMax-M1-80k", false],
  ["Qwen/Qwen3-8B", false],
])("%s wants its reasoning back in the text: %s", (model, inline) => {
  expect(notationsOf(model).inline).toBe(inline);
});

describe("what a model is taught", () => {
  test.each([
    ["Qwen/Qwen3-8B", "hermes"],
    ["qwen3-coder:30b", "qwen3_coder"],
    ["Qwen/Qwen3.5-27B", "qwen3_coder"],
    ["deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama3_json"],
    ["deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", "hermes"],
    ["deepseek-ai/DeepSeek-R1-0528", "canonical"],
    ["deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v31"],
    ["deepseek-ai/DeepSeek-V3.2", "deepseek_v32"],
    ["deepseek-chat", "canonical"],
    ["zai-org/GLM-4.6", "glm45"],
    ["MiniMaxAI/MiniMax-M2.5", "minimax_m2"],
    ["google/gemma-3-27b-it", "bare_json"],
    ["meta-llama/Llama-3.3-70B-Instruct", "llama3_json"],
    ["mistralai/Devstral-Small-2507", "hermes"],
    ["microsoft/phi-4", "canonical"],
    ["openai/gpt-oss-120b", "canonical"],
    ["anthropic/claude-sonnet-4.5", "canonical"],
    ["moonshotai/Kimi-K2.5", "canonical"],
    ["my-model", "canonical"],
    ["gemini-3-pro", "canonical"],
  ])("%s: %s", (model, taught) => {
    expect(notationsOf(model).taught).toBe(taught);
  });

  test.each([
    ["acme/tiny-3b-instruct", true],
    ["tiny:1.7B", true],
    ["tiny-270m-it", true],
    ["tiny-3.8b-q4_K_M", true],
    ["tiny-4b", true],
    ["medium-7b-4bit", false],
    ["medium-30b-a3b", false],
    ["mix-8x3b", false],
    ["long-7b-128k", false],
    ["long-13b-1m", false],
    ["model-v0.3b2", false],
    ["4bit", false],
  ])("by its size alone, if nobody knows it: %s is small: %s", (model, small) => {
    expect(notationsOf(model).taught).toBe(small ? "bare_json" : "canonical");
  });
});

test("C14: the family of a model is a pattern of our own table, never what somebody has written", () => {
  const patterns = MODEL_NOTATIONS.flatMap(([row]) => row.split(" "));
  for (const [name] of NAMES) {
    const family = familyOf(name);
    if (family !== undefined) expect(patterns).toContain(family);
  }
  expect(familyOf("Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8")).toBe("qwen3-coder*");
  expect(familyOf("deepseek-r1:8b-canary")).toBe("deepseek-r1:8b*");
  expect(familyOf("canary")).toBeUndefined();
});
