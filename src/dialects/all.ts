import { apertus } from "./apertus.ts";
import { bareJson } from "./bare_json.ts";
import { canonical } from "./canonical.ts";
import { cohereCommand3 } from "./cohere_command3.ts";
import { commandR } from "./command_r.ts";
import type { Dialect } from "./dialect.ts";
import { dotsJson } from "./dots_json.ts";
import { ernie45 } from "./ernie45.ts";
import { fencedJson } from "./fenced_json.ts";
import { gigachat3 } from "./gigachat3.ts";
import { glm45 } from "./glm45.ts";
import { granite20bFc } from "./granite-20b-fc.ts";
import { granite3 } from "./granite3.ts";
import { hermes } from "./hermes.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { inkling } from "./inkling.ts";
import { internlm2 } from "./internlm2.ts";
import { jamba } from "./jamba.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { k2HorizonJson } from "./k2_horizon_json.ts";
import { longcat } from "./longcat.ts";
import { longcatJson } from "./longcat_json.ts";
import { mistralOld } from "./mistral_old.ts";
import { nemotronJson } from "./nemotron_json.ts";
import { openaiJson } from "./openai_json.ts";
import { phi4Mini } from "./phi4_mini.ts";
import { rwkv } from "./rwkv.ts";
import { sarashina } from "./sarashina.ts";
import { solarOpen2 } from "./solar_open2.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  apertus,
  bareJson,
  cohereCommand3,
  commandR,
  dotsJson,
  ernie45,
  fencedJson,
  gigachat3,
  glm45,
  granite20bFc,
  granite3,
  hermes,
  hyV3,
  hyV4,
  inkling,
  internlm2,
  jamba,
  k2Horizon,
  k2HorizonJson,
  longcat,
  longcatJson,
  mistralOld,
  nemotronJson,
  openaiJson,
  phi4Mini,
  rwkv,
  sarashina,
  solarOpen2,
];

/** Whether there is a notation of this name: an id or an alias. */
export function isDialect(name: string): boolean {
  return DIALECTS.some(({ id, aliases }) => id === name || aliases.includes(name));
}
