/** How much of a scarce resource of the process one holder may use. */
export interface Share {
  key: string;
  max: number;
}

/** Counts what each holder uses. A holder that uses nothing has no key, so keys do not accumulate. */
export class Shares {
  readonly #used = new Map<string, number>();

  /** Takes the amount from every share, or from none: false if one of them has no room. */
  take(shares: readonly Share[], amount: number): boolean {
    for (const { key, max } of shares) if (this.used(key) + amount > max) return false;
    for (const { key } of shares) this.#used.set(key, this.used(key) + amount);
    return true;
  }

  giveBack(shares: readonly Share[], amount: number): void {
    for (const { key } of shares) {
      const left = this.used(key) - amount;
      if (left > 0) this.#used.set(key, left);
      else this.#used.delete(key);
    }
  }

  used(key: string): number {
    return this.#used.get(key) ?? 0;
  }
}
