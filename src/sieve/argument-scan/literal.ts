import { pythonValueToJson } from "../values/python.ts";
import { Collected, type Collection, type Member, type Sink } from "../values/sinks.ts";
import { trimBlanks } from "../values/value.ts";
import type { Repaired } from "./argument-value.ts";

/**
 * Collects a value that should be a Python literal and hands it on at its end: as JSON if it is one, else as the very
 * text that was written, to which its schema may give a type.
 */
export class Literal implements Sink {
  readonly #member: Member;
  readonly #repaired: Repaired;
  readonly #source = new Collected("bare", (source) => this.#hand(source));
  #handed: Sink | undefined;

  constructor(member: Member, repaired: Repaired) {
    this.#member = member;
    this.#repaired = repaired;
  }

  get held(): number {
    return this.#handed ? 0 : this.#source.held;
  }

  get full(): boolean {
    return this.#source.full || this.#handed?.full === true;
  }

  text(piece: string, written?: string) {
    this.#source.text(piece, written);
  }

  close() {
    this.#source.close();
  }

  #hand({ text, written }: Collection) {
    const json = pythonValueToJson(text);
    if (json === undefined) {
      this.#repaired("string-delimiters");
      this.#write(this.#member.begin("bare"), trimBlanks(written));
    } else if (json.startsWith('"')) this.#write(this.#member.begin("string"), JSON.parse(json));
    else this.#write(this.#member.begin("json"), json);
  }

  #write(sink: Sink, text: string) {
    this.#handed = sink;
    if (text !== "") sink.text(text);
    sink.close();
  }
}
