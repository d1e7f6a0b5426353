/** A map that forgets what was used longest ago once it is full, so that no caller can grow it for ever. */
export class BoundedMap<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, Value>();
  // Kept, because a new one would walk over the holes that deleted entries leave at the front.
  #oldest = this.#entries.keys();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#forgetOldest();
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #forgetOldest(): void {
    let { done, value } = this.#oldest.next();
    if (done) {
      this.#oldest = this.#entries.keys();
      ({ done, value } = this.#oldest.next());
    }
    if (!done) this.#entries.delete(value as Key);
  }
}
