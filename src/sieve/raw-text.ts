/**
 * The raw text of a block, for the case that it turns out to be no call: what was eaten, less what was given back, in
 * the pieces it came in. It is recorded only as long as it may still be needed.
 */
export class RawText {
  size = 0;
  #pieces: string[] = [];
  /** The piece with which begins what stands behind the last call. */
  #tail = 0;
  #recording = true;

  add(s: string, from: number, to: number) {
    if (!this.#recording || from === to) return;
    this.#pieces.push(s.slice(from, to));
    this.size += to - from;
  }

  /** Takes back the last characters. */
  remove(length: number) {
    let left = this.#recording ? length : 0;
    while (left > 0) {
      const last = this.#pieces.pop();
      if (last === undefined) return;
      const kept = Math.max(0, last.length - left);
      if (kept > 0) this.#pieces.push(last.slice(0, kept));
      this.size -= last.length - kept;
      left -= last.length - kept;
    }
  }

  get text(): string {
    return this.#pieces.join("");
  }

  /** What stands behind the last call, which is from now on no part of it. */
  takeTail(): string {
    const tail = this.#pieces.splice(this.#tail).join("");
    this.size -= tail.length;
    return tail;
  }

  /** A call is over, good or bad: the tail begins here. */
  beginTail() {
    this.#recording = true;
    this.#tail = this.#pieces.length;
  }

  /** It is no longer needed, and nor is what comes up to the next tail. */
  forget() {
    this.#pieces = [];
    this.size = this.#tail = 0;
    this.#recording = false;
  }
}
