import { apertus } from "./apertus.ts";
import { bareJson } from "./bare_json.ts";
import { canonical } from "./canonical.ts";
import { cline } from "./cline.ts";
import { cohereCommand3 } from "./cohere_command3.ts";
import { commandR } from "./command_r.ts";
import { deepseekV3 } from "./deepseek_v3.ts";
import { deepseekV31 } from "./deepseek_v31.ts";
import type { Dialect } from "./dialect.ts";
import { dotsJson } from "./dots_json.ts";
import { ernie45 } from "./ernie45.ts";
import { fencedJson } from "./fenced_json.ts";
import { functionaryV2 } from "./functionary_v2.ts";
import { functionaryV32 } from "./functionary_v32.ts";
import { gigachat3 } from "./gigachat3.ts";
import { glm4Old } from "./glm4_old.ts";
import { glm45 } from "./glm45.ts";
import { granite20bFc } from "./granite-20b-fc.ts";
import { granite3 } from "./granite3.ts";
import { harmony } from "./harmony.ts";
import { hermes } from "./hermes.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { inkling } from "./inkling.ts";
import { internlm2 } from "./internlm2.ts";
import { jamba } from "./jamba.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { k2HorizonJson } from "./k2_horizon_json.ts";
import { kimiK2 } from "./kimi_k2.ts";
import { longcat } from "./longcat.ts";
import { longcatJson } from "./longcat_json.ts";
import { minimaxM3 } from "./minimax_m3.ts";
import { mistralOld } from "./mistral_old.ts";
import { mistralV11 } from "./mistral_v11.ts";
import { morphXml } from "./morph_xml.ts";
import { nemotronJson } from "./nemotron_json.ts";
import { openaiJson } from "./openai_json.ts";
import { phi4Mini } from "./phi4_mini.ts";
import { qwenFncall } from "./qwen_fncall.ts";
import { react } from "./react.ts";
import { rwkv } from "./rwkv.ts";
import { sarashina } from "./sarashina.ts";
import { seedbFunctionCall } from "./seedb_function_call.ts";
import { seedbNs } from "./seedb_ns.ts";
import { seedbToolCall } from "./seedb_tool_call.ts";
import { solarOpen2 } from "./solar_open2.ts";
import { textKv } from "./text_kv.ts";
import { toolUse } from "./tool_use.ts";

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
  cline,
  cohereCommand3,
  commandR,
  deepseekV3,
  deepseekV31,
  dotsJson,
  ernie45,
  fencedJson,
  functionaryV2,
  functionaryV32,
  gigachat3,
  glm45,
  glm4Old,
  granite20bFc,
  granite3,
  harmony,
  hyV3,
  hyV4,
  inkling,
  internlm2,
  jamba,
  k2Horizon,
  k2HorizonJson,
  kimiK2,
  longcat,
  longcatJson,
  minimaxM3,
  mistralOld,
  mistralV11,
  morphXml,
  nemotronJson,
  phi4Mini,
  qwenFncall,
  react,
  rwkv,
  sarashina,
  seedbFunctionCall,
  seedbNs,
  seedbToolCall,
  solarOpen2,
  textKv,
  toolUse,
];

/** Whether there is a notation of this name: an id or an alias. */
export function isDialect(name: string): boolean {
  return DIALECTS.some(({ id, aliases }) => id === name || aliases.includes(name));
}
