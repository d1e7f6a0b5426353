import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { betweenPieces, inOwnTurn } from '../../platform/kernel/inSlices.ts';
import type { Outcome } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { sizeInWords } from './arrivingBodies.ts';
import { canonicalJson, excessOf, isJsonType, notSentAsJson, type ParsedBody, parseJson } from './body.ts';
import { BODY_BYTES_MAX, type Endpoint, type RequestContext } from './endpoint.ts';
import { InvalidInput, PROBLEMS_MAX } from './invalidInput.ts';
import { onePerField, parsedFor } from './readRequest.ts';
import { isFields, type Schema } from './schemaWalk.ts';
import { splitBody } from './splitBody.ts';
import {
  NONE_UNKNOWN,
  nameIgnored,
  prefersStrict,
  type UnknownNames,
  unknownNameProblems,
  unknownNamesFinder,
} from './unknownNames.ts';
import { bodyValidator } from './validation.ts';

/** The field of a bulk request with its items. */
export const ITEMS_FIELD = 'entregas';
/** The problems reported of one item. */
const ITEM_PROBLEMS_MAX = 20;

/** A body with a list of items, each of which is read like the body of a single request. */
export interface ReadItems {
  /** The other fields, checked. */
  body: Record<string, unknown>;
  /** Each valid body, or what is wrong with it. */
  items: Outcome<unknown>[];
  /** Of a request with an Idempotency-Key: equal for equal content, whatever the order of fields. */
  fingerprint: unknown;
}

interface ReadItem {
  item: Outcome<unknown>;
  unknown: UnknownNames;
  digest(): string;
}

export interface ItemsReader {
  /**
   * Reads the body in slices. `admit` is called with the number of items before any of them is parsed. Refuses with all
   * problems of the other fields; the problems of an item are its own.
   */
  read(
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
    admit: (items: number) => void,
  ): Promise<ReadItems>;
  prepare: readonly (() => void)[];
}

export function itemsReader(body: TSchema, { furtherProblems }: NonNullable<Endpoint['items']>): ItemsReader {
  const { head, item: schema, max } = schemasOf(body);
  const headProblems = bodyValidator(head);
  const itemProblems = bodyValidator(schema);
  const unknownInHead = unknownNamesFinder({ body: head });
  const unknownInItem = unknownNamesFinder({ body: schema });

  const readHead = (query: unknown, parsed: ParsedBody, count: number, isStrict: boolean) => {
    const { body, sent, problems } = parsedFor(head, parsed);
    // The items are checked one by one, so that only their number matters here.
    const isList = isFields(body) && Array.isArray(body[ITEMS_FIELD]);
    const counted = isList ? { ...body, [ITEMS_FIELD]: new Array(count).fill({}) } : body;
    const unknown = unknownInHead(query, sent);
    const all = onePerField([
      ...problems,
      ...headProblems(counted),
      ...(isStrict ? unknownNameProblems(unknown) : []),
    ]);
    if (all.length > 0) throw new InvalidInput(all);
    const { [ITEMS_FIELD]: _items, ...others } = body as Record<string, unknown>;
    return { body: others, unknown };
  };

  const readItem = (raw: Buffer, context: RequestContext, isStrict: boolean): ReadItem => {
    const refused = (error: Error): ReadItem => ({
      item: { error },
      unknown: NONE_UNKNOWN,
      digest: () => sha256(raw),
    });
    if (raw.length > BODY_BYTES_MAX)
      return refused(new Refusal('body-too-large', { size: sizeInWords(BODY_BYTES_MAX) }));
    const excess = excessOf(raw);
    if (excess) return refused(excess);
    const { body, sent, problems } = parsedFor(schema, parseJson(raw));
    const further = isFields(body) ? furtherProblems(body, context) : [];
    const unknown = unknownInItem(undefined, sent);
    const all = onePerField([
      ...problems,
      ...itemProblems(body),
      ...further,
      ...(isStrict ? unknownNameProblems(unknown) : []),
    ]);
    return {
      item: all.length > 0 ? { error: new InvalidInput(all.slice(0, ITEM_PROBLEMS_MAX)) } : { value: body },
      unknown,
      digest: () => sha256(canonicalJson(body)),
    };
  };
  const read: ItemsReader['read'] = async (request, reply, context, admit) => {
    const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const contentType = request.headers['content-type'];
    if (raw.length > 0 && contentType && !isJsonType(contentType)) throw notSentAsJson();
    const split = await inOwnTurn(() => splitBody(raw, ITEMS_FIELD, max));
    const excess = excessOf(split.head);
    if (excess) throw excess;
    const isStrict = prefersStrict(request.headers.prefer);
    if (isStrict) reply.header('preference-applied', 'handling=strict');
    const parsed = raw.length > 0 ? parseJson(split.head) : { body: {}, problems: [], hasNulls: false };
    const texts = split.items ?? [];
    const { body, unknown } = readHead(request.query, parsed, texts.length, isStrict);
    admit(texts.length);

    const hasKey = request.headers['idempotency-key'] !== undefined;
    const ignored = { first: [...unknown.first], count: unknown.count };
    const items: Outcome<unknown>[] = [];
    const digests: string[] = [];
    for (const [index, text] of texts.entries()) {
      await betweenPieces();
      const { item, unknown, digest } = readItem(text, context, isStrict);
      items.push(item);
      if (hasKey) digests.push(digest());
      ignored.count += unknown.count;
      if (ignored.first.length < PROBLEMS_MAX)
        for (const each of unknown.first)
          ignored.first.push({ ...each, place: `${ITEMS_FIELD}[${index}].${each.place}` });
    }
    if (!isStrict && ignored.count > 0) nameIgnored(reply, ignored);
    return { body, items, fingerprint: [body, digests] };
  };
  return { read, prepare: [() => headProblems({}), () => itemProblems({})] };
}

const sha256 = (content: string | Buffer): string => hash('sha256', content);

/** The schema of the list's items, and that of the body around them. */
function schemasOf(body: TSchema): { head: TSchema; item: TSchema; max: number } {
  const { properties = {} } = body as Schema;
  const { items, ...list } = properties[ITEMS_FIELD]!;
  return {
    head: { ...body, properties: { ...properties, [ITEMS_FIELD]: list } } as TSchema,
    item: items as TSchema,
    max: list.maxItems!,
  };
}
