import { canonical } from "./canonical.ts";
import { deepseekV3 } from "./deepseek_v3.ts";
import { deepseekV31 } from "./deepseek_v31.ts";
import type { Dialect } from "./dialect.ts";
import { functionaryV2 } from "./functionary_v2.ts";
import { functionaryV32 } from "./functionary_v32.ts";
import { glm4Old } from "./glm4_old.ts";
import { glm45 } from "./glm45.ts";
import { hyV3 } from "./hy_v3.ts";
import { hyV4 } from "./hy_v4.ts";
import { k2Horizon } from "./k2_horizon.ts";
import { kimiK2 } from "./kimi_k2.ts";
import { longcat } from "./longcat.ts";
import { mistralV11 } from "./mistral_v11.ts";
import { qwenFncall } from "./qwen_fncall.ts";
import { solarOpen2 } from "./solar_open2.ts";
import { textKv } from "./text_kv.ts";

/** Every notation that is known: read by the sieve, and quoted in untrusted text. */
export const DIALECTS: readonly Dialect[] = [
  canonical,
  glm45,
  hyV3,
  hyV4,
  longcat,
  k2Horizon,
  solarOpen2,
  mistralV11,
  kimiK2,
  deepseekV3,
  deepseekV31,
  textKv,
  qwenFncall,
  glm4Old,
  functionaryV32,
  functionaryV2,
];
