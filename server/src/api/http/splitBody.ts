import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfText,
  nameIn,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './body.ts';

export interface SplitBody {
  /** The body with an empty list in place of the list; the whole body where it has no such list. */
  head: Buffer;
  /** The text of each item. Undefined: the field is absent, or not a list. */
  items: Buffer[] | undefined;
}

const EMPTY_LIST = Buffer.from('[]');

/**
 * Separates the items of a list in a field of a JSON object, without parsing anything, so that each item can be parsed
 * by itself: one parse of some mebibytes would block the event loop. What is not well-formed stays so in the head or in
 * an item. Several mebibytes take some milliseconds. Of a list with more than `max` items one more than that is returned.
 */
export function splitBody(raw: Buffer, field: string, max: number): SplitBody {
  let depth = 0;
  let textStart = 0;
  let isField = false;
  let list: { start: number; end: number; items: Buffer[] } | undefined;
  let itemStart = -1;
  let items: Buffer[] = [];
  let listStart = 0;
  for (let at = 0; at < raw.length; at += 1) {
    switch (raw[at]!) {
      case QUOTE:
        if (depth === 1) textStart = at;
        at = endOfText(raw, at);
        break;
      case COLON:
        if (depth === 1) isField = nameIn(raw.subarray(textStart, at)) === field;
        break;
      case COMMA:
        if (depth === 1) isField = false;
        else if (depth === 2 && itemStart >= 0) {
          if (items.length <= max) items.push(raw.subarray(itemStart, at));
          itemStart = at + 1;
        }
        break;
      case OPEN_LIST:
        if (depth === 1 && isField) {
          listStart = at;
          itemStart = at + 1;
          items = [];
        }
        depth += 1;
        break;
      case OPEN_OBJECT:
        depth += 1;
        break;
      case CLOSE_OBJECT:
        depth -= 1;
        if (depth === 1) itemStart = -1;
        break;
      case CLOSE_LIST:
        depth -= 1;
        if (depth === 1 && itemStart >= 0) {
          const last = raw.subarray(itemStart, at);
          // Between the brackets of an empty list there are only blanks.
          if (items.length > 0 || !isBlank(last)) items.push(last);
          list = { start: listStart, end: at + 1, items };
          itemStart = -1;
        }
        break;
      default:
    }
  }
  if (!list) return { head: raw, items: undefined };
  const head = Buffer.concat([raw.subarray(0, list.start), EMPTY_LIST, raw.subarray(list.end)]);
  return { head, items: list.items };
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
