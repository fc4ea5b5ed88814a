import type { ToolDocsSettings } from "../prompt/tool-docs.ts";
import type { SieveOptions } from "../sieve/index.ts";
import type { SettingsFault } from "./faults.ts";
import { SHADOWED, SWITCHES, type SwitchSettings, type ToolCallSettings, unreadFault } from "./settings.ts";

/** How tools are told, and what becomes of calls: for a tenant, or for some of its models. */
export interface ToolCallConfig extends Required<Pick<SieveOptions, "mode" | "earlyEmit">> {
  /** How tools reach the model: `native` in the upstream's own form, else in words; `auto`: as the model's name asks for. */
  teach: string;
  docs: ToolDocsSettings;
  /** How the canonical notation is taught to write a string. */
  strings: "cdata" | "raw";
  /** When a required call is asked for by more than words: if it has not come, from the start, or not at all. */
  force: "retry" | "always" | "never";
  /** Notations that are expected whatever the model is. */
  dialects: readonly string[];
  /** `open`: replies begin inside reasoning, since the chat template has opened it (sieve.md A4). */
  reasoning: "marked" | "open";
  /** What of the model's earlier reasoning goes upstream. */
  reasoningHistory: "auto" | "always" | "never" | "inline";
  /** What becomes of what the sieve finds. */
  policy: Required<Pick<SieveOptions, "fenced" | "undeclared" | "malformed" | "reasoningCalls" | "afterCalls">>;
  /** The most characters of one result that the model is shown. */
  resultCharacters: number;
  /** Settings that a request may make for itself (`overrides.ts`). */
  overrides: readonly string[];
  /** Whether an answer tells its report: where the request asks for it, or always. */
  report: "off" | "request" | "on";
  /** What is set otherwise for so many of a hundred conversations (`rollout.ts`). */
  rollout: { percent: number; switches: SwitchSettings } | undefined;
  /** By what the words of so many of a hundred conversations are read a second time (`shadow.ts`). */
  shadow: { percent: number; sieve: Partial<SieveOptions> } | undefined;
}

/** Of what is set for a tenant or a route, and of what it rolls out. */
export function* toolCallFaults(own: ToolCallSettings): Generator<SettingsFault, void> {
  const { percent, ...given } = own.rollout;
  const unread = unreadFault(own, own);
  if (unread) yield { path: ["toolcall", unread.name], message: unread.message };
  const switches = onlySet(given);
  const rolledOut = unreadFault({ ...own, ...switches }, switches);
  // What is wrong anyway is not the roll-out's fault.
  if (rolledOut && !unread) yield { path: ["toolcall", "rollout", rolledOut.name], message: rolledOut.message };
  if (percent > 0 && Object.keys(switches).length === 0) {
    yield {
      path: ["toolcall", "rollout", "percent"],
      message: `takes 0 where none of ${SWITCHES.join(", ")} is rolled out`,
    };
  }
  const { percent: shadowed = 0, ...read } = own.shadow;
  if (shadowed > 0 && Object.keys(onlySet(read)).length === 0) {
    yield {
      path: ["toolcall", "shadow", "percent"],
      message: `takes 0 where none of ${SHADOWED.join(", ")} is set for the shadow`,
    };
  }
}

export function toToolCall(settings: ToolCallSettings): ToolCallConfig {
  const { fenced, undeclared, malformed } = settings;
  const { percent, ...given } = settings.rollout;
  const switches = onlySet(given);
  return {
    mode: settings.mode,
    earlyEmit: settings.early_emit,
    teach: settings.teach,
    docs: { form: settings.docs === "schema" ? "schema" : "signatures", budget: settings.docs_budget },
    strings: settings.strings,
    force: settings.force,
    dialects: settings.dialects,
    reasoning: settings.reasoning,
    reasoningHistory: settings.reasoning_history,
    policy: {
      fenced,
      undeclared,
      malformed,
      reasoningCalls: settings.reasoning_calls,
      afterCalls: settings.after_calls,
    },
    resultCharacters: settings.result_chars,
    overrides: settings.overrides,
    report: settings.report,
    rollout: Object.keys(switches).length === 0 ? undefined : { percent, switches },
    shadow: toShadow(settings.shadow),
  };
}

function toShadow({ percent = 100, ...given }: ToolCallSettings["shadow"]): ToolCallConfig["shadow"] {
  const { early_emit: earlyEmit, reasoning_calls: reasoningCalls, after_calls: afterCalls, ...rest } = given;
  const sieve = onlySet({ ...rest, earlyEmit, reasoningCalls, afterCalls });
  return Object.keys(sieve).length === 0 ? undefined : { percent, sieve };
}

type OnlySet<T> = { [Name in keyof T]?: NonNullable<T[Name]> };

function onlySet<T extends object>(given: T): OnlySet<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as OnlySet<T>;
}
