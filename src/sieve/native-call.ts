import { isObject, parseJson } from "../json.ts";
import { measureStructure } from "../json-structure.ts";
import { REQUEST_LIMITS, SIEVE_LIMITS } from "../limits.ts";
import type { Emit, NativeCall } from "../reply.ts";
import type { ResolvedTool } from "../tools.ts";
import { Block, type Place } from "./block.ts";
import { Held } from "./feed.ts";
import { jsonArguments } from "./grammars/json-members.ts";
import { readOneOf } from "./grammars/tags.ts";
import { type Kind, mark } from "./notation.ts";
import { compileHeads } from "./one-of.ts";
import type { SievePlan } from "./plan.ts";
import type { Tally } from "./report.ts";
import type { Part } from "./scan.ts";
import type { TentativeCall } from "./tentative-call.ts";
import { trimBlanks } from "./values/value.ts";

const KIND: Kind = {
  dialect: "native",
  source: "native",
  evidence: "complete",
  meant: true,
  suspendsReasoning: false,
};
const PLACE: Place = { channel: "text", inSpan: false, beginsChannel: false };

const FENCE = mark("```");
const fence = compileHeads([FENCE, mark("```json")]);
const fenceEnd = compileHeads([FENCE]);

/**
 * Lets out a call of the upstream's own as if it stood in the text (sieve.md M3): its name is resolved (N2, N3), its
 * arguments are typed by the schema (V6) and mended as the mode allows (T4), so that the two kinds can be told for twins.
 * What cannot be read so but is JSON goes out as it was sent, and with calls switched off nothing else does.
 *
 * @returns false when the call is lost: cut, without a name, or with arguments that are none
 */
export function readNativeCall(native: NativeCall, plan: SievePlan, tally: Tally, emit: Emit): boolean {
  const sent = argumentsObject(native.json);
  if (plan.mode === "off") return native.name !== "" && sent !== undefined && deliver(native.name, sent, emit);
  // As in the text (W3): behind the last call that may be nothing is read, so there is no block, be it good or bad.
  if (tally.callsBefore("text") >= plan.maxCalls) return true;
  const tool = toolOf(native.name, plan);
  // It was held until all of it was there: nothing of it goes out before it is known to be a call.
  const block = new Block(PLACE, KIND, { ...plan, earlyEmit: "off" }, tally, emit);
  const call = tool && block.begin(tool.name);
  const source = sent ?? (block.mends ? contents(native.json) : undefined);
  const end = call && source !== undefined ? readArguments(block, call, source) : "bad";
  if (call && end === "closed") {
    block.end(call);
    const stands = block.judge(true);
    block.settled(stands ? "call" : "malformed");
    if (stands) block.announce();
    return true;
  }
  if (call && sent !== undefined) {
    tally.settled({ source: KIND.source, dialect: KIND.dialect, outcome: "call", calls: 1, dropped: 0, repairs: [] });
    return deliver(call.tool.name, sent, emit);
  }
  block.settled(end === "cut" ? "truncated" : "malformed");
  if (end !== "cut") tally.brokeOff = true;
  return false;
}

function deliver(name: string, json: string, emit: Emit): true {
  emit({ type: "call-start", name });
  emit({ type: "call-arguments", json });
  emit({ type: "call-end" });
  return true;
}

/** A declared tool, if the name as it is or what the notations leave of it is one; else the first that is a name at all. */
function toolOf(written: string, { tools, bareNames }: SievePlan): ResolvedTool | undefined {
  const name = trimBlanks(written);
  const found = [name, ...bareNames.flatMap((cut) => cut(name))].flatMap((each) => tools.resolve(each) ?? []);
  return found.find(({ declared }) => declared) ?? found[0];
}

const ARGUMENT_CAPS = { depth: SIEVE_LIMITS.nativeDepth, structure: REQUEST_LIMITS.structure };

/** The JSON of the arguments object as it was sent, so that digits stay; undefined when it is none, or beyond the caps. */
function argumentsObject(sent: string): string | undefined {
  const json = contents(sent);
  if (json === "") return "{}";
  if ("exceeded" in measureStructure(json, ARGUMENT_CAPS)) return undefined;
  const value = parseJson(json);
  if (isObject(value)) return json;
  return value === null ? "{}" : undefined;
}

/** Some servers encode arguments twice. */
function contents(sent: string): string {
  const json = sent.trim();
  const value = json.startsWith('"') ? parseJson(json) : undefined;
  return typeof value === "string" ? value.trim() : json;
}

function readArguments(block: Block, call: TentativeCall, json: string): "closed" | "bad" | "cut" {
  return new Held(json, argumentsAlone(block, call)).result ?? "bad";
}

/** An object and nothing else, a fence around it apart. */
function* argumentsAlone(block: Block, call: TentativeCall): Part<"closed" | "bad" | "cut"> {
  const isFenced = (yield* readOneOf(fence)).found !== undefined;
  if (isFenced) block.repaired("fence-in-wrapper");
  const end = yield* jsonArguments(block, call);
  if (end !== "closed") return end === "cut" ? "cut" : "bad";
  const { found, ended } = yield* readOneOf(fenceEnd);
  return (isFenced ? found !== undefined : ended) ? "closed" : "bad";
}
