/**
 * An exact fraction, for amounts of money on their way to a whole number of cents.
 * Always in lowest terms with a positive denominator, so equal values have equal parts. Immutable.
 */
export class Exact {
  readonly n: bigint;
  readonly d: bigint;

  private constructor(n: bigint, d: bigint) {
    const shared = greatestCommonDivisor(n < 0n ? -n : n, d);
    this.n = n / shared;
    this.d = d / shared;
  }

  /** Throws RangeError for anything but a safe integer. */
  static integer(value: number): Exact {
    return new Exact(toBigInt(value), 1n);
  }

  /** `part` of `whole` equal parts, such as 1500 of 1000 for 1.5. Throws RangeError unless `whole` is positive. */
  static ratio(part: number, whole: number): Exact {
    if (whole <= 0) throw new RangeError(`not a positive denominator: ${whole}`);
    return new Exact(toBigInt(part), toBigInt(whole));
  }

  /** Reads plain decimals such as "12", "-0.5" or "1.2500". Throws RangeError for any other text. */
  static decimal(text: string): Exact {
    const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
    if (!match) throw new RangeError(`not a decimal: ${JSON.stringify(text)}`);
    const [, whole = '', fraction = ''] = match;
    return new Exact(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  }

  plus(other: Exact): Exact {
    return new Exact(this.n * other.d + other.n * this.d, this.d * other.d);
  }

  minus(other: Exact): Exact {
    return new Exact(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  times(other: Exact): Exact {
    return new Exact(this.n * other.n, this.d * other.d);
  }

  /** -1, 0 or 1, for sorting. */
  compare(other: Exact): -1 | 0 | 1 {
    const left = this.n * other.d;
    const right = other.n * this.d;
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  max(other: Exact): Exact {
    return this.compare(other) < 0 ? other : this;
  }

  /**
   * The nearest integer; a half goes away from zero, so 2.5 is 3 and -2.5 is -3.
   * Throws RangeError when the result is not a safe integer.
   */
  roundHalfUp(): number {
    const size = this.n < 0n ? -this.n : this.n;
    const rounded = (2n * size + this.d) / (2n * this.d);
    const result = Number(this.n < 0n ? -rounded : rounded);
    if (!Number.isSafeInteger(result)) throw new RangeError(`too large to round: ${this.n}/${this.d}`);
    return result;
  }
}

function toBigInt(value: number): bigint {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
  return BigInt(value);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
