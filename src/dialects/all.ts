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
import { granite20bFc } from "./granite-20b-fc.ts";
import { granite3 } from "./granite3.ts";
import { hermes } from "./hermes.ts";
import { inkling } from "./inkling.ts";
import { internlm2 } from "./internlm2.ts";
import { jamba } from "./jamba.ts";
import { k2HorizonJson } from "./k2_horizon_json.ts";
import { longcatJson } from "./longcat_json.ts";
import { mistralOld } from "./mistral_old.ts";
import { nemotronJson } from "./nemotron_json.ts";
import { openaiJson } from "./openai_json.ts";
import { phi4Mini } from "./phi4_mini.ts";
import { rwkv } from "./rwkv.ts";
import { sarashina } from "./sarashina.ts";

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
  granite20bFc,
  granite3,
  hermes,
  inkling,
  internlm2,
  jamba,
  k2HorizonJson,
  longcatJson,
  mistralOld,
  nemotronJson,
  openaiJson,
  phi4Mini,
  rwkv,
  sarashina,
];
