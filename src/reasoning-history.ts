import type { KeptReasoning } from "./prompt/kept-reasoning.ts";
import type { Config } from "./tenants/config.ts";
import { type Capabilities, type ReasoningField, USUAL_REASONING } from "./upstreams/capabilities.ts";

/** What becomes of the reasoning of earlier answers. */
interface ReasoningHistory {
  readonly kept: KeptReasoning;
  /** It stands in the text of its answer. */
  readonly inline: boolean;
  /** The field that it goes upstream in; absent: none, but for a server that demands it. */
  readonly field: ReasoningField | undefined;
}

/**
 * Read from its own field, reasoning reaches the model as its chat template has it, and is left out by templates that want
 * none; so the text is for models that are used to it, where no field is known.
 *
 * @param inText the model's maker wants its reasoning back in the text
 */
export function reasoningHistory(
  setting: Config["toolcall"]["reasoningHistory"],
  { reasoning: field, fields }: Capabilities,
  inText: boolean,
): ReasoningHistory {
  switch (setting) {
    case "auto":
      return { kept: "loop", inline: field === undefined && inText, field };
    case "always":
      // Of a server that nobody knows the operator may know more; a known one without such a field has none.
      return { kept: "all", inline: false, field: field ?? (fields ? undefined : USUAL_REASONING) };
    case "never":
      return { kept: "none", inline: false, field: undefined };
    case "inline":
      return { kept: "loop", inline: true, field: undefined };
    default:
      return setting satisfies never;
  }
}
