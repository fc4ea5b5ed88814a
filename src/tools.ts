import type { JsonSchema } from "./conversation.ts";
import { readToolSchema, type Shape } from "./schema.ts";

/** What a name in the model's text stands for. */
export interface ResolvedTool {
  /** As declared; for an undeclared tool as written. */
  name: string;
  declared: boolean;
  /** What is known of its arguments; undefined for an undeclared tool. */
  shape: Shape | undefined;
}

/** Letters, marks and digits of any script and `.` `-` `_` `:` `/`: what an undeclared name may consist of (sieve.md N3). */
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}._\-:/]+$/u;

/** The declared tools of a request, looked up by the names that models write (sieve.md N2). */
export class ToolNames {
  readonly #schemas = new Map<string, JsonSchema | undefined>();
  readonly #shapes = new Map<string, Shape>();
  /** Folded name → declared name; undefined where two share it. */
  readonly #folded = new Map<string, string | undefined>();

  /** Of two tools with one name the first counts. */
  constructor(tools: readonly { name: string; parameters?: JsonSchema }[]) {
    for (const { name, parameters } of tools) {
      if (this.#schemas.has(name)) continue;
      this.#schemas.set(name, parameters);
      const folded = name.toLowerCase();
      this.#folded.set(folded, this.#folded.has(folded) ? undefined : name);
    }
  }

  get size(): number {
    return this.#schemas.size;
  }

  /**
   * An exact match first, else one unique match without regard to case, spelt as declared. Nothing else is ever
   * guessed: a near name is another tool. Undefined for what is no name at all, such as a template's `$TOOL`.
   */
  resolve(written: string): ResolvedTool | undefined {
    const name = this.#schemas.has(written) ? written : this.#folded.get(written.toLowerCase());
    if (name !== undefined) return { name, declared: true, shape: this.#shape(name) };
    return PLAIN_NAME.test(written) ? { name: written, declared: false, shape: undefined } : undefined;
  }

  /** The name is that of a declared tool, or of one but for its case. */
  declares(name: string): boolean {
    return this.resolve(name)?.declared === true;
  }

  /** What is written may go on to such a name, with a suffix behind it that a notation has. */
  mayDeclare(written: string, suffix = ""): boolean {
    const folded = written.toLowerCase();
    for (const name of this.#folded.keys()) if (`${name}${suffix}`.startsWith(folded)) return true;
    return false;
  }

  /** The tool is declared, and has a parameter of this name. */
  declaresParameter(tool: string, key: string): boolean {
    return this.resolve(tool)?.shape?.declares(key) === true;
  }

  /** The tool is declared, and can be called without arguments. */
  needsNoArguments(tool: string): boolean {
    return this.resolve(tool)?.shape?.required().size === 0;
  }

  /** A declared tool's name and one of its parameters, written as one word; undefined where none or several fit. */
  split(written: string): { name: string; key: string } | undefined {
    const fitting: { name: string; key: string }[] = [];
    for (const name of this.#schemas.keys()) {
      const key = written.slice(name.length);
      if (written.startsWith(name) && this.#shape(name).declares(key)) fitting.push({ name, key });
    }
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  #shape(name: string): Shape {
    let shape = this.#shapes.get(name);
    if (!shape) {
      shape = readToolSchema(this.#schemas.get(name));
      this.#shapes.set(name, shape);
    }
    return shape;
  }
}
