import type { CallOptions } from './request.ts';

/** Items of one request. */
const ITEMS_MAX = 500;
/** The bytes of the items of one request, with some room below the limit of the service. */
const BYTES_MAX = 3_900_000;

/** What became of each item, in the order of the items, whatever number of requests they took. */
export interface BulkAnswer<Item> {
  /** How many items were refused. */
  recusados: number;
  data: Item[];
}

/** A later part of a bulk call failed: `done` is what became of the items before it, `cause` says why. */
export class IncompleteBulkError<Item = unknown> extends Error {
  override name = 'IncompleteBulkError';
  readonly done: BulkAnswer<Item>;
  /** Repeat the whole call with it: what is done already is not done again. Absent for reads. */
  readonly idempotencyKey: string | undefined;
  constructor(done: BulkAnswer<Item>, idempotencyKey: string | undefined, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${done.data.length} items were sent, and then: ${why}`, { cause });
    this.done = done;
    this.idempotencyKey = idempotencyKey;
  }
}

/** Splits the items into as few requests as the limits allow, and joins the answers. */
export async function sendInParts<Item, Result extends { indice: number }>(
  items: readonly Item[],
  send: (part: Item[], call: CallOptions) => Promise<BulkAnswer<Result>>,
  { idempotencyKey, ...call }: CallOptions,
): Promise<BulkAnswer<Result>> {
  const parts = partsOf(items);
  const answer: BulkAnswer<Result> = { recusados: 0, data: [] };
  for (const [index, part] of parts.entries()) {
    try {
      // Each part is a request with a key of its own.
      const key = idempotencyKey && parts.length > 1 ? `${idempotencyKey}-${index + 1}` : idempotencyKey;
      const { recusados, data } = await send(part, {
        ...call,
        ...(key !== undefined && { idempotencyKey: key }),
      });
      const before = answer.data.length;
      answer.recusados += recusados;
      answer.data.push(...data.map((each) => ({ ...each, indice: each.indice + before })));
    } catch (cause) {
      if (index === 0) throw cause;
      throw new IncompleteBulkError(answer, idempotencyKey ?? undefined, cause);
    }
  }
  return answer;
}

/** An empty list is one part, which the service refuses. */
function partsOf<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    if (parts.at(-1)!.length === ITEMS_MAX || (bytes + size > BYTES_MAX && bytes > 0)) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(item);
    bytes += size;
  }
  return parts;
}
