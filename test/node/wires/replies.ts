import repliesFile from "../../cases/replies.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { chunk, DONE, event, type Script } from "../../scripted-upstream/script.ts";
import type { WireFinish, WireUsage } from "../../wires/wire-reply.ts";

/** A line of replies.jsonl: what a model says, and what a client of any wire has to get of it. */
export interface ReplyCase {
  id: string;
  /** In order; a native call is a name and the JSON of its arguments. */
  said: Said[];
  upstream_finish?: string;
  upstream_usage?: object;
  expect: {
    /** A call is a name and the JSON of its arguments. */
    parts: (Spoken | ["call", string, string])[];
    finish: WireFinish;
    /** A call that is begun and cut: its name, and what its arguments would have become. */
    open?: [string, string];
    usage?: WireUsage;
  };
}

type Spoken = ["text" | "reasoning", string];
type Said = Spoken | ["native", string, string];

export const REPLIES = jsonLines<ReplyCase>(repliesFile);

/** All that the model writes, one behind the other: what a chunking cuts. */
export const wordsOf = ({ said }: ReplyCase) => said.map(([type, text]) => (type === "native" ? "" : text)).join("");

/** The upstream's stream, its deltas cut where the chunks of all words are cut. */
export function scriptOf(
  { said, upstream_finish: finish = "stop", upstream_usage: usage }: ReplyCase,
  chunks: string[],
): Script {
  const cuts: number[] = [];
  for (const { length } of chunks) cuts.push((cuts.at(-1) ?? 0) + length);
  let begin = 0;
  let natives = 0;
  const deltas = said.flatMap((one): object[] => {
    if (one[0] === "native") return [nativeCall(natives++, one[1], one[2])];
    const [type, text] = one;
    const end = begin + text.length;
    const edges = [begin, ...cuts.filter((cut) => cut > begin && cut < end), end].map((edge) => edge - begin);
    begin = end;
    const key = type === "text" ? "content" : "reasoning_content";
    return edges.slice(1).map((edge, index) => ({ [key]: text.slice(edges[index], edge) }));
  });
  const counts = usage ? event({ object: "chat.completion.chunk", choices: [], usage }) : "";
  // The usage first: a reply that is ended early has it, too.
  return { steps: [{ send: counts + deltas.map((delta) => chunk(delta)).join("") + chunk({}, finish) + DONE }] };
}

const nativeCall = (index: number, name: string, json: string) => ({
  tool_calls: [{ index, id: `native-${index}`, type: "function", function: { name, arguments: json } }],
});
