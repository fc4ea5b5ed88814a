import { once } from "../../once.ts";
import type { Block } from "../block.ts";
import { compileDelimitedObjects, delimitedObjectValue } from "../gemma-scan.ts";
import { type Body, mark, type Read, type Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { KeywordArguments } from "./keyword-arguments.ts";
import { readName, readOneOf } from "./tags.ts";
import { type CallEnd, noCall, wrappedCalls } from "./wrapped-calls.ts";

/** Calls whose arguments are objects with bare keys and strings between delimiters: `call:name{key:<d>text<d>,n:3}`. */
export interface DelimitedCalls {
  /** Stand around one call or several. */
  readonly open: string;
  readonly close: string;
  /** Stands before a name. */
  readonly call: string;
  /** Stands before a string and behind it. */
  readonly delimiter: string;
  /** May part a name from what stands before it (sieve.md N2). */
  readonly namespace?: string;
}

export interface DelimitedReading {
  readonly wrapper: Wrapper;
  readonly body: Body;
  /** Calls whose wrapper was lost, from behind what stands before the first name. */
  readonly bare: Read;
}

const heads = { open: compileHeads([mark("{"), mark("(")]) };

export function delimitedCalls({ open, close, call, delimiter, namespace }: DelimitedCalls): DelimitedReading {
  const beforeName = mark(call);
  const toName = compileHeads([beforeName]);
  const keywords = once(() => {
    const objects = compileDelimitedObjects(delimiter, close);
    return new KeywordArguments({
      structure: objects.behindQuotes,
      value: (member) => delimitedObjectValue(objects, member),
      ends: [mark(close)],
      json: true,
    });
  });
  const fromName = (block: Block) => oneCall(block, namespace, keywords());
  const calls = (wrapper: Wrapper) =>
    wrappedCalls(wrapper, {
      leads: [beforeName],
      separators: ",",
      *read(block) {
        yield* readOneOf(toName);
        return yield* fromName(block);
      },
      ...(wrapper.open === beforeName && { begun: fromName }),
    });
  return {
    wrapper: { open: mark(open), closes: [mark(close)] },
    body: { source: "markup", leads: [beforeName], in: calls },
    bare: calls({ open: beforeName, closes: [] }),
  };
}

/** Reads one call from its name on; it is complete at its bracket. */
function* oneCall(block: Block, namespace: string | undefined, keywords: KeywordArguments): Part<CallEnd> {
  const written = yield* readName();
  if (written.name === "") return noCall(block, written);
  const open = yield* readOneOf(heads.open);
  if (open.found === undefined) return noCall(block, open);
  if (open.found === "(") block.repaired("paren-form");
  return yield* keywords.read(block, bareName(block, written.name, namespace));
}

/** The name as written, unless a declared one is the last part of it. */
function bareName(block: Block, written: string, namespace: string | undefined): string {
  if (block.tools.declares(written) || namespace === undefined) return written;
  const bare = written.slice(written.lastIndexOf(namespace) + namespace.length);
  return block.tools.declares(bare) ? bare : written;
}
