import { type Conversation, textOf } from "../conversation.ts";
import { ROLLOUT_LIMITS } from "../limits.ts";
import { sha256 } from "../sha256.ts";
import { type Config, withSwitches } from "./config.ts";

/** Whether a conversation is one of those for which something is set otherwise. */
export type RolloutChoice = "in" | "out";

/**
 * The configuration of a conversation under a roll-out, and on which side it is: always on the same one, since nothing counts but the
 * key and how the conversation begins. Who is in at some percentage is in at every higher one.
 *
 * @param key a name for the client's key
 */
export async function withRollout(
  config: Config,
  key: string | undefined,
  conversation: Pick<Conversation, "system" | "turns">,
): Promise<{ config: Config; rollout?: RolloutChoice }> {
  const { rollout } = config.toolcall;
  if (!rollout) return { config };
  const share = await shareOf(key, conversation);
  if (share >= rollout.percent / 100) return { config, rollout: "out" };
  return { config: withSwitches(config, rollout.switches), rollout: "in" };
}

/** From 0 to, but not at, 1; as likely to be anywhere. */
async function shareOf(key: string | undefined, { system, turns }: Pick<Conversation, "system" | "turns">) {
  const first = turns.find(({ role }) => role === "user");
  const start = [system, textOf(first?.parts ?? [])].map((text) => text.slice(0, ROLLOUT_LIMITS.start));
  const bytes = await sha256(JSON.stringify([key ?? "", ...start]));
  return new DataView(bytes.buffer).getUint32(0) / 2 ** 32;
}
