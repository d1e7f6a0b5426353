/**
 * JSON.parse cannot be interrupted, and its cost hangs on the shape more than on the size: a mebibyte of
 * `{"a":1},{"b":1},…` takes a quarter of a second, and of brackets alone more. So the bytes are looked at before,
 * which takes two milliseconds at most. Texts and numbers are cheap; names, lists and objects are counted.
 */
const DEPTH_MAX = 32;
const NAMES_MAX = 5_000;
/** Also the positions of an operating area, each of which is a list. */
const CONTAINERS_MAX = 50_000;

export type JsonExcess = { what: 'depth' } | { what: 'size'; field: string | undefined };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What is too much to be parsed, and in which top-level field; it need not be well-formed. */
export function jsonExcess(raw: Buffer): JsonExcess | undefined {
  let depth = 0;
  let names = 0;
  let containers = 0;
  let textStart = 0;
  let field: readonly [start: number, end: number] | undefined;
  for (let at = 0; at < raw.length; at += 1) {
    switch (raw[at]!) {
      case QUOTE: {
        const start = at;
        at = endOfText(raw, at);
        if (depth === 1) textStart = start;
        continue;
      }
      case COLON:
        names += 1;
        if (depth === 1) field = [textStart, at];
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        containers += 1;
        depth += 1;
        if (depth > DEPTH_MAX) return { what: 'depth' };
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1;
        continue;
      default:
        continue;
    }
    if (names > NAMES_MAX || containers > CONTAINERS_MAX)
      return { what: 'size', field: field && nameIn(raw.subarray(...field)) };
  }
  return undefined;
}

/** The place of the closing quote, or the end. */
function endOfText(raw: Buffer, start: number): number {
  for (let at = start + 1; at < raw.length; at += 1) {
    if (raw[at] === QUOTE) return at;
    if (raw[at] === BACKSLASH) at += 1;
  }
  return raw.length;
}

function nameIn(bytes: Buffer): string | undefined {
  try {
    const name: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
