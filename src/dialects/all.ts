import { apertus } from "./apertus.ts";
import { bareJson } from "./bare_json.ts";
import { canonical } from "./canonical.ts";
import { claudeXml } from "./claude_xml.ts";
import { cline } from "./cline.ts";
import { cohereCommand3 } from "./cohere_command3.ts";
import { cohereCommand4 } from "./cohere_command4.ts";
import { commandR } from "./command_r.ts";
import { cwm } from "./cwm.ts";
import { deepseekV3 } from "./deepseek_v3.ts";
import { deepseekV31 } from "./deepseek_v31.ts";
import { type Dialect, isTaught, type TaughtDialect } from "./dialect.ts";
import { dots } from "./dots.ts";
import { dotsJson } from "./dots_json.ts";
import { dsml } from "./dsml.ts";
import { ernie45 } from "./ernie45.ts";
import { fencedJson } from "./fenced_json.ts";
import { functionaryV2 } from "./functionary_v2.ts";
import { functionaryV32 } from "./functionary_v32.ts";
import { functiongemma } from "./functiongemma.ts";
import { gemma3ToolCode } from "./gemma3_tool_code.ts";
import { gemma4 } from "./gemma4.ts";
import { gigachat3 } from "./gigachat3.ts";
import { gigachat35 } from "./gigachat35.ts";
import { glimmer } from "./glimmer.ts";
import { glm4Old } from "./glm4_old.ts";
import { glm45 } from "./glm45.ts";
import { granitePythonic } from "./granite_pythonic.ts";
import { granite20bFc } from "./granite-20b-fc.ts";
import { granite3 } from "./granite3.ts";
import { harmony } from "./harmony.ts";
import { hermes } from "./hermes.ts";
import { hunyuanA13b } from "./hunyuan_a13b.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { inkling } from "./inkling.ts";
import { internlm2 } from "./internlm2.ts";
import { jamba } from "./jamba.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { k2HorizonJson } from "./k2_horizon_json.ts";
import { kimiK2 } from "./kimi_k2.ts";
import { kimiK3 } from "./kimi_k3.ts";
import { lfm2 } from "./lfm2.ts";
import { llama3Builtin } from "./llama3_builtin.ts";
import { llama4Pythonic } from "./llama4_pythonic.ts";
import { longcat } from "./longcat.ts";
import { longcatJson } from "./longcat_json.ts";
import { minicpm5 } from "./minicpm5.ts";
import { minimaxM2 } from "./minimax_m2.ts";
import { minimaxM3 } from "./minimax_m3.ts";
import { mistralOld } from "./mistral_old.ts";
import { mistralV11 } from "./mistral_v11.ts";
import { morphXml } from "./morph_xml.ts";
import { nemotronJson } from "./nemotron_json.ts";
import { olmo3 } from "./olmo3.ts";
import { openaiJson } from "./openai_json.ts";
import { phi4Mini } from "./phi4_mini.ts";
import { pythonic } from "./pythonic.ts";
import { qwenFncall } from "./qwen_fncall.ts";
import { qwen3Coder } from "./qwen3_coder.ts";
import { react } from "./react.ts";
import { rwkv } from "./rwkv.ts";
import { sarashina } from "./sarashina.ts";
import { seedOss } from "./seed_oss.ts";
import { seedbFunctionCall } from "./seedb_function_call.ts";
import { seedbNs } from "./seedb_ns.ts";
import { seedbToolCall } from "./seedb_tool_call.ts";
import { solarOpen2 } from "./solar_open2.ts";
import { step3 } from "./step3.ts";
import { textKv } from "./text_kv.ts";
import { toolUse } from "./tool_use.ts";
import { yamlXml } from "./yaml_xml.ts";

/**
 * Every notation that is known: read by the sieve, and quoted in untrusted text. Of those that are read in the very same way
 * the first one names the block.
 */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  hermes,
  openaiJson,
  apertus,
  bareJson,
  claudeXml,
  cline,
  cohereCommand3,
  cohereCommand4,
  commandR,
  cwm,
  deepseekV3,
  deepseekV31,
  dots,
  dotsJson,
  dsml,
  ernie45,
  fencedJson,
  functionaryV2,
  functionaryV32,
  functiongemma,
  gemma3ToolCode,
  gemma4,
  gigachat3,
  gigachat35,
  glimmer,
  glm45,
  glm4Old,
  granite20bFc,
  granite3,
  granitePythonic,
  harmony,
  hunyuanA13b,
  hyV3,
  hyV4,
  inkling,
  internlm2,
  jamba,
  k2Horizon,
  k2HorizonJson,
  kimiK2,
  kimiK3,
  lfm2,
  llama3Builtin,
  llama4Pythonic,
  longcat,
  longcatJson,
  minicpm5,
  minimaxM2,
  minimaxM3,
  mistralOld,
  mistralV11,
  morphXml,
  nemotronJson,
  olmo3,
  phi4Mini,
  pythonic,
  qwen3Coder,
  qwenFncall,
  react,
  rwkv,
  sarashina,
  seedOss,
  seedbFunctionCall,
  seedbNs,
  seedbToolCall,
  solarOpen2,
  step3,
  textKv,
  toolUse,
  yamlXml,
];

/** Whether there is a notation of this name: an id or an alias. */
export function isDialect(name: string): boolean {
  return findDialect(name) !== undefined;
}

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
}

/** Every name that a notation which can be taught goes by. */
export function taughtNames(): string[] {
  return DIALECTS.filter(isTaught).flatMap(({ id, aliases = [] }) => [id, ...aliases]);
}

/** What a model is taught by this name. A variant has its own name for an id, which is good for a pin as any alias is. */
export function findTaught(name: string): TaughtDialect | undefined {
  const dialect = findDialect(name);
  if (!dialect || !isTaught(dialect)) return undefined;
  const variant = dialect.variants?.[name];
  return variant ? { ...dialect, ...variant, id: name } : dialect;
}
