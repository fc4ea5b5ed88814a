import { canonical } from "./canonical.ts";
import { claudeXml } from "./claude_xml.ts";
import { cohereCommand4 } from "./cohere_command4.ts";
import type { Dialect } from "./dialect.ts";
import { dots } from "./dots.ts";
import { dsml } from "./dsml.ts";
import { gigachat35 } from "./gigachat35.ts";
import { glm45 } from "./glm45.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { kimiK3 } from "./kimi_k3.ts";
import { longcat } from "./longcat.ts";
import { minicpm5 } from "./minicpm5.ts";
import { minimaxM2 } from "./minimax_m2.ts";
import { qwen3Coder } from "./qwen3_coder.ts";
import { seedOss } from "./seed_oss.ts";
import { solarOpen2 } from "./solar_open2.ts";
import { step3 } from "./step3.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  dsml,
  gigachat35,
  claudeXml,
  minimaxM2,
  dots,
  qwen3Coder,
  seedOss,
  minicpm5,
  step3,
  kimiK3,
  cohereCommand4,
  glm45,
  hyV3,
  hyV4,
  longcat,
  k2Horizon,
  solarOpen2,
];
