import type { Part, Turn } from "../conversation.ts";
import { ROLLOUT_LIMITS } from "../limits.ts";
import { sha256 } from "../sha256.ts";
import { type Config, withSwitches } from "./config.ts";

/** Whether a conversation is one of those for which something is set otherwise. */
export type RolloutChoice = "in" | "out";

/**
 * The configuration of a conversation under a roll-out, and on which side it is: always on the same one, since nothing counts but the
 * key and what the user says before the model first answers. Who is in at some percentage is in at every higher one.
 *
 * @param key a name for the client's key
 */
export async function withRollout(
  config: Config,
  key: string | undefined,
  turns: readonly Turn[],
): Promise<{ config: Config; rollout?: RolloutChoice }> {
  const { rollout } = config.toolcall;
  if (!rollout) return { config };
  const share = await shareOf(key, turns);
  if (share >= rollout.percent / 100) return { config, rollout: "out" };
  return { config: withSwitches(config, rollout.switches), rollout: "in" };
}

/**
 * The configuration of a conversation, without a shadow if it is none of those that have one. Which these are is found as for a
 * roll-out, and has nothing to do with who is in there.
 *
 * @param key a name for the client's key
 */
export async function withShadow(config: Config, key: string | undefined, turns: readonly Turn[]): Promise<Config> {
  const { shadow } = config.toolcall;
  if (!shadow || shadow.percent === 100) return config;
  if ((await shareOf(key, turns, ["shadow"])) < shadow.percent / 100) return config;
  return { ...config, toolcall: { ...config.toolcall, shadow: undefined } };
}

/**
 * From 0 to, but not at, 1; as likely to be anywhere.
 * @param salt what is hashed besides: shares with different ones have nothing to do with each other
 */
async function shareOf(key: string | undefined, turns: readonly Turn[], salt: readonly string[] = []) {
  const bytes = await sha256(JSON.stringify([key ?? "", beginningOf(turns), ...salt]));
  return new DataView(bytes.buffer).getUint32(0) / 2 ** 32;
}

/**
 * What the user says before the model's first answer; a greeting of the model's may come before. Agents send what their user has written last,
 * behind instructions and surroundings that all conversations of a project have in common.
 */
function beginningOf(turns: readonly Turn[]): readonly string[] {
  const first = turns.findIndex(({ role }) => role === "user");
  const answer = turns.findIndex(({ role }, index) => role === "assistant" && index > first);
  const said = turns.slice(Math.max(first, 0), answer < 0 ? turns.length : answer);
  return said.map(({ parts }) => parts.map(wordsOf).join("").slice(-ROLLOUT_LIMITS.turn));
}

/** Of a picture its data: its address may be signed anew each time. */
function wordsOf(part: Part): string {
  const words = part.type === "text" ? part.text : part.type === "media" ? (part.data ?? "") : "";
  return words.slice(-ROLLOUT_LIMITS.turn);
}
