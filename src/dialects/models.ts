import { matchesGlob } from "../glob.ts";
import { once } from "../once.ts";

/**
 * `native`: the model's own server writes its control tokens best, where it takes tools. `inline`: its maker wants its earlier
 * reasoning back in the text.
 */
type Trait = "native" | "inline";

type ModelRow = readonly [patterns: string, expected: string, taught?: string, trait?: Trait];

/**
 * The notations that a model was trained on, by its name: what it falls back to, whatever it was taught. It is taught the
 * first of them, since it writes nothing else as well; or the one that stands behind them, where that one cannot be taught
 * through a system text. First hit wins, so a special row stands before a general one, and models named after what they
 * were made from before all others.
 *
 * `-` and `_` may be there or not, ASCII case does not matter, and a name is tried without its owner, too.
 */
export const MODEL_NOTATIONS: readonly ModelRow[] = [
  // Made from another maker's model, or trained for calls by somebody else.
  ["*r1-distill*qwen* *r1-0528-qwen*", "hermes"],
  ["*r1-distill*llama*", "llama3_json"],
  // In Ollama's library the tag alone tells a distill from R1 itself; of 8b there were two.
  ["deepseek-r1:*qwen* deepseek-r1:1.5b* deepseek-r1:7b* deepseek-r1:14b* deepseek-r1:32b*", "hermes"],
  ["deepseek-r1:*llama* deepseek-r1:70b*", "llama3_json"],
  ["deepseek-r1:8b*", "hermes llama3_json"],
  ["*r1-distill*", "canonical"],
  ["*hermes* *groq-tool-use* *llama-3-groq* *nemotron*orchestrator*", "hermes"],
  ["*functionary*v3.2*", "functionary_v32", "canonical"],
  ["*functionary*v3*", "llama3_custom", "canonical"],
  ["*functionary*", "functionary_v2", "canonical"],
  ["*firefunction-v2*", "firefunction_v2"],
  ["*xlam*", "xlam"],
  ["watt-tool*", "llama3_json"],
  ["toolace*", "pythonic llama3_json"],
  ["apriel*", "apriel"],
  ["intellect-3* *nemotron-3*", "qwen3_coder hermes"],
  ["llama*nemotron*", "nemotron_json llama3_json"],
  ["*nemotron*", "nemotron_json"],

  // Qwen, and those that write as it does.
  ["qwen3-coder* qwen3.5* qwen3.6* step-3.5* step-3.7* mimo* k-exaone*", "qwen3_coder hermes"],
  // Often in a fence instead of the tags.
  ["qwen2.5-coder*", "hermes fenced_json"],
  ["qwen2.5*", "hermes"],
  ["qwen2* qwen1.5*", "hermes qwen_fncall react"],
  ["qwen* qwq* smollm3* falcon3* arcee* trinity*", "hermes"],
  ["exaone-4*", "exaone4"],

  ["deepseek*v3.2-exp*", "deepseek_v31"],
  ["deepseek*v3.2*", "deepseek_v32 hermes"],
  // The second one is Bedrock's name of it.
  ["deepseek*v3.1* deepseek.v3-v1*", "deepseek_v31"],
  ["deepseek*v4*", "deepseek_v4 hermes"],
  ["deepseek*v3* deepseek-r1* deepseek.r1* *r1t*chimera*", "deepseek_v3 openai_json", "canonical"],
  // At the maker's own API, whatever version stands behind the name.
  ["deepseek-chat deepseek-reasoner", "deepseek_v32 deepseek_v4", "canonical", "native"],
  // The largest one alone was made from DeepSeek's.
  ["cogito*671b* cogito-2.1*", "deepseek_v31 deepseek_v3"],
  ["cogito*", "hermes"],

  ["kimi-k3*", "kimi_k3", "canonical", "native"],
  ["kimi*", "kimi_k2", "canonical", "native"],
  ["glm-4.5* glm-4.6*", "glm45 hermes"],
  ["glm-4.7* glm-5*", "glm47 hermes"],
  ["glm-4*", "glm4_old", "canonical"],
  ["ling-3* spark-2.5* hyperclova*", "glm45 glm47"],
  ["minimax-m3*", "minimax_m3", "canonical"],
  ["minimax-m2*", "minimax_m2", "minimax_m2", "inline"],
  ["minimax*", "minimax_m1"],
  ["gpt-oss*", "canonical harmony", "canonical", "native"],
  ["claude*", "claude_xml claude_xml_ns", "canonical"],
  [
    "*mistral* *mixtral* ministral* *devstral* magistral* codestral* pixtral* voxtral*",
    "mistral_v11 mistral_v11_call_id mistral_old",
    "hermes",
    "native",
  ],

  ["functiongemma*", "functiongemma", "bare_json"],
  ["*gemma-4*", "gemma4", "gemma4", "native"],
  ["*gemma*", "bare_json gemma3_tool_code pythonic"],

  ["*llama-4*", "llama4_pythonic pythonic llama3_json", "pythonic"],
  ["*llama-3.2* *llama-v3.2*", "pythonic llama3_json"],
  ["*llama-3* *llama-v3*", "llama3_json llama3_custom llama3_builtin pythonic"],
  ["phi-4-mini*", "phi4_mini phi4_mini_tag"],
  ["phi-4*", "canonical"],

  ["granite-20b-f*", "granite-20b-fc", "canonical"],
  ["granite-4*", "granite4 granite_pythonic"],
  ["granite-3*", "granite3 granite_pythonic"],
  ["*command-4*", "cohere_command4", "canonical"],
  ["*command-a* *command-r7b*", "cohere_command3"],
  ["*command-r*", "command_r", "canonical"],
  ["hy-3* hunyuan-3*", "hy_v3", "canonical"],
  ["hy-4* hunyuan-4*", "hy_v4", "canonical"],
  ["hunyuan*", "hunyuan_a13b"],
  ["gigachat-3.5*", "gigachat35", "canonical"],
  ["gigachat*", "gigachat3", "canonical"],
  ["internlm* intern-s1*", "internlm2"],
  ["ernie*", "ernie45"],
  ["longcat*", "longcat longcat_json"],
  ["dots*", "dots dots_json", "canonical"],
  ["k2-horizon*", "k2_horizon k2_horizon_json", "canonical"],
  ["seed-oss*", "seed_oss"],
  ["step-3*", "step3", "canonical"],
  ["minicpm-4* minicpm-5*", "minicpm5", "canonical"],
  ["lfm2*", "lfm2 pythonic"],
  ["olmo-3*", "olmo3"],
  ["*jamba*", "jamba"],
  ["apertus*", "apertus"],
  ["sarashina*", "sarashina", "canonical"],
  ["solar-open-2*", "solar_open2", "canonical"],
  ["laguna*", "laguna"],
  ["glimmer* muse*", "glimmer", "canonical"],
  ["inkling*", "inkling", "canonical"],
  ["rwkv*", "rwkv", "canonical"],
  ["cwm*", "cwm", "canonical"],
];

const rows = once(() =>
  MODEL_NOTATIONS.map(([patterns, expected, taught, trait]) => ({
    patterns: patterns.split(" ").map((pattern) => ({ pattern, folded: fold(pattern) })),
    expected: expected.split(" "),
    taught,
    trait,
  })),
);

/** What a model's name tells. */
export interface ModelNotations {
  /** Ids of the notations that it may write besides what it was taught; none where its name says nothing. */
  readonly expected: readonly string[];
  /** The one that it is taught. */
  readonly taught: string;
  /** Better than being taught, it is given tools by a server that takes them. */
  readonly native: boolean;
  /** It is used to reading its reasoning in the text of its answers. */
  readonly inline: boolean;
}

/**
 * @param model as a host names it: `Qwen/Qwen3-8B-FP8`, `llama3.1:70b-instruct`, `@cf/meta/llama-3.1-8b-instruct`,
 *   `us.anthropic.claude-sonnet-4`, or the path of a file or a folder
 */
export function notationsOf(model: string): ModelNotations {
  const { expected = [], taught, trait } = rowOf(model) ?? {};
  return {
    expected,
    taught: taught ?? expected[0] ?? (isSmall(model) ? "bare_json" : "canonical"),
    native: trait === "native",
    inline: trait === "inline",
  };
}

/** The pattern of our own table that a model's name fits; undefined where it tells nothing. */
export function familyOf(model: string): string | undefined {
  return rowOf(model)?.fitting;
}

function rowOf(model: string) {
  const names = namesOf(model).map(fold);
  for (const row of rows()) {
    const fitting = row.patterns.find(({ folded }) => names.some((name) => matchesGlob(folded, name)));
    if (fitting) return { ...row, fitting: fitting.pattern };
  }
  return undefined;
}

/** In billions of parameters. Models up to it that were trained for no notation fail at markup far more than at JSON. */
const SMALL = 4;

/** By the size in its name, `3b` or `270m`, and the largest of several; `a3b` counts the active ones alone. */
function isSmall(model: string): boolean {
  const [name = ""] = namesOf(model);
  const sizes = [...name.matchAll(/(?<![a-z\d.])(?:(\d+(?:\.\d+)?)b|\d{3}m)(?![a-z\d])/gi)];
  return sizes.length > 0 && sizes.every(([, billions = "0"]) => Number(billions) <= SMALL);
}

/** Where no slash may stand, a point or an underscore parts an owner off: `unsloth_Qwen3-8B`, `qwen.qwen3-32b`. */
const OWNER = /^[a-z][a-z\d-]*[._](?=[a-z])/i;

/** The last part of the path, and what is left of it without its owner, and without a region in front of that one. */
function namesOf(model: string): readonly string[] {
  const name = model.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  const owned = name.replace(OWNER, "");
  return [name, owned, owned.replace(OWNER, "")];
}

/** Hosts write `Llama-3.1` and `llama3.1`, and where a point is forbidden `llama-v3p1`, `Llama-3_1` or `llama3-1-8b`. */
function fold(name: string): string {
  return name
    .replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    .replace(/(\d)(?:[p_](?=\d)|-(?=\d(?:-|$)))/g, "$1.")
    .replace(/[-_]/g, "");
}
