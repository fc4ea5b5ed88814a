import { type Turn, textOf } from "../conversation.ts";
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
  // Agents put what is always the same first: instructions of the project, the directory, the date.
  const start = beginningOf(turns).map(({ parts }) => textOf(parts).slice(-ROLLOUT_LIMITS.turn));
  // A list of its own: no turn of a conversation is a salt.
  const bytes = await sha256(JSON.stringify([key ?? "", start, ...salt]));
  return new DataView(bytes.buffer).getUint32(0) / 2 ** 32;
}

/** What the user says first, up to the answer; a greeting of the model's may come before. */
function beginningOf(turns: readonly Turn[]): readonly Turn[] {
  const first = turns.findIndex(({ role }) => role === "user");
  const answer = turns.findIndex(({ role }, index) => role === "assistant" && index > first);
  return turns.slice(Math.max(first, 0), answer < 0 ? turns.length : answer);
}
