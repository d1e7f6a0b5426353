/** One field of a protobuf message: a number (varint) or bytes. Fixed-width fields are passed over. */
type ProtobufField = { field: number; number: number } | { field: number; bytes: Buffer };

/** The fields of a message in their order. Throws RangeError where the bytes are no message. */
export function* protobufFields(message: Buffer): Generator<ProtobufField> {
  const reader = new VarintReader(message);
  while (!reader.isAtEnd) {
    const tag = reader.next();
    const field = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === 0) yield { field, number: reader.next() };
    else if (wireType === 2) yield { field, bytes: reader.take(reader.next()) };
    else if (wireType === 1) reader.take(8);
    else if (wireType === 5) reader.take(4);
    else throw new RangeError(`no protobuf field of type ${wireType}`);
  }
}

export const bytesOf = (message: Buffer, field: number): Buffer[] =>
  [...protobufFields(message)].flatMap((one) => (one.field === field && 'bytes' in one ? [one.bytes] : []));

export function numberOf(message: Buffer, field: number): number | undefined {
  for (const one of protobufFields(message)) if (one.field === field && 'number' in one) return one.number;
  return undefined;
}

/** A packed list of signed numbers, each told as the difference to the one before. */
export function deltasIn(packed: Buffer): number[] {
  const reader = new VarintReader(packed);
  const numbers: number[] = [];
  let last = 0;
  while (!reader.isAtEnd) {
    last += signed(reader.next());
    numbers.push(last);
  }
  return numbers;
}

/** A packed list of numbers as they are. */
export function numbersIn(packed: Buffer): number[] {
  const reader = new VarintReader(packed);
  const numbers: number[] = [];
  while (!reader.isAtEnd) numbers.push(reader.next());
  return numbers;
}

/** Numbers up to 2^53 suffice: no coordinate or id in OpenStreetMap is larger. */
export const signed = (zigzag: number): number => (zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2);

class VarintReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 64; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('a number without an end');
  }

  take(length: number): Buffer {
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('a field longer than its message');
    return this.#bytes.subarray(from, this.#at);
  }
}
