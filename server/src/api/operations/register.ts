import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import { assertRoom, lockCentral, type RecordKind } from '../../centrals/centralStore.ts';
import type { Permission } from '../../centrals/permissions.ts';
import type { Fields, Subject } from '../../events/audit/change.ts';
import { changeActor, recordChange } from '../../events/audit/recordChange.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { type PlainKind, Refusal, type RefusalKind } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type AppDeps, type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Language } from '../http/envelope.ts';
import { dataAnswer, messageAnswer, pageFields, parsePage } from '../json/values.ts';
import type { View } from '../json/view.ts';

/** A register that the central's staff maintains: companies, tariffs, drivers … */
export interface Register<Body extends TSchema, Shown extends TSchema, Values, Entry> {
  path: `/${string}`;
  /** The kind whose record limit applies. */
  records: RecordKind;
  tag: `Operação: ${string}`;
  permissions: { read: Permission; write: Permission };
  audit: {
    subject: Subject;
    nameOf(entry: Entry): string;
    /** Values that are never shown, such as a password. Only the fact of the change is recorded. */
    hidden?(values: Values): Fields;
  };
  /** 'uma empresa', 'as empresas'. */
  nouns: { one: string; all: string };
  description?: string;
  notFound: PlainKind;
  /** Refusals in addition to duplicates and missing entries. */
  refusals?: readonly RefusalKind[];
  /** Refusals of DELETE in addition to record-in-use. */
  removalRefusals?: readonly RefusalKind[];
  /** The body of PUT, which replaces the whole entry, and of POST. */
  body: Body;
  /** Where a valid body may be larger than others. */
  bodyBytesMax?: number;
  /** The body of POST if it has more fields than PUT. */
  creationBody?: TSchema;
  bodyExample: Static<Body>;
  shown: View<Entry, undefined, Shown>;
  parse(body: Static<Body>, centralId: number): Values | Promise<Values>;
  /** The store's names of unique fields and their names in this interface. */
  uniqueFields?: Readonly<Record<string, string>>;
  store: RegisterStore<Values, Entry>;
}

/** Writing functions return false when there is no such entry. */
export interface RegisterStore<Values, Entry> {
  list(tx: Tx, centralId: number, page: Page): Promise<Entry[]>;
  find(tx: Tx, centralId: number, id: number): Promise<Entry | undefined>;
  insert(tx: Tx, centralId: number, values: Values, caller: Caller): Promise<number>;
  update(tx: Tx, centralId: number, id: number, values: Values, caller: Caller): Promise<boolean>;
  remove(tx: Tx, centralId: number, id: number, caller: Caller): Promise<boolean>;
}

/** The five routes of a register. */
export function register<Body extends TSchema, Shown extends TSchema, Values, Entry>(
  kept: Register<Body, Shown, Values, Entry>,
): Endpoint[] {
  const { path, tag, nouns, notFound, store, body, bodyExample, creationBody = body } = kept;
  const reading = { tag, permission: kept.permissions.read, limit: 'operations' } as const;
  const { bodyBytesMax } = kept;
  const writing = { ...reading, permission: kept.permissions.write };
  const taking = { ...writing, ...(bodyBytesMax && { bodyBytesMax }) };
  const shown: TSchema = kept.shown.schema;
  const format = (entry: Entry) => kept.shown.show(entry, undefined);
  const answer: TSchema = dataAnswer(shown);
  const listAnswer: TSchema = dataAnswer(Type.Array(shown));
  const answerExample = { success: true, data: kept.shown.example };
  const refusals = [...(kept.uniqueFields ? (['record-duplicate'] as const) : []), ...(kept.refusals ?? [])];
  /** Serialises changes of a central's entries, so that the recorded former values are right. */
  const lockEntry = async (tx: Tx, centralId: number, id: number): Promise<Entry> => {
    await lockCentral(tx, centralId);
    const entry = await store.find(tx, centralId, id);
    if (entry === undefined) throw new Refusal(notFound);
    return entry;
  };
  const show = async (tx: Tx, centralId: number, id: number) => {
    const entry = await store.find(tx, centralId, id);
    if (entry === undefined) throw new Refusal(notFound);
    return { data: format(entry) };
  };
  const record = (
    deps: AppDeps,
    tx: Tx,
    caller: Caller,
    id: number,
    sides: Sides<Entry>,
    hidden: Fields = {},
  ) =>
    recordChange(tx, changeActor(caller, deps.clock.now(), 'operations'), {
      subject: kept.audit.subject,
      id,
      name: kept.audit.nameOf((sides.after ?? sides.before)!),
      before: sides.before && withoutId(format(sides.before) as Fields),
      after: sides.after && { ...withoutId(format(sides.after) as Fields), ...hidden },
    });
  const write = <Result>(deps: AppDeps, work: (tx: Tx) => Promise<Result>) =>
    writeRegister(deps, work, kept.uniqueFields);

  return [
    endpoint({
      ...reading,
      method: 'GET',
      path,
      summary: `Listar ${nouns.all}`,
      ...(kept.description && { description: kept.description }),
      query: Type.Object(pageFields),
      answer: listAnswer,
      answerExample: { success: true, data: [kept.shown.example] },
      async handle({ deps, caller, query }) {
        const entries = await store.list(deps.db, caller.centralId, parsePage(query));
        return { data: entries.map(format) };
      },
    }),
    endpoint({
      ...taking,
      method: 'POST',
      path,
      summary: `Cadastrar ${nouns.one}`,
      refusals: [...refusals, 'too-many-records'],
      body: creationBody as Body,
      bodyExample,
      answer,
      answerExample,
      async handle({ deps, caller, body }) {
        const { centralId } = caller;
        const values = await kept.parse(body, centralId);
        return write(deps, async (tx) => {
          await assertRoom(tx, centralId, kept.records);
          const id = await store.insert(tx, centralId, values, caller);
          const after = (await store.find(tx, centralId, id))!;
          await record(deps, tx, caller, id, { before: null, after });
          return { data: format(after) };
        });
      },
    }),
    endpoint({
      ...reading,
      method: 'GET',
      path: `${path}/:id`,
      summary: `Ler ${nouns.one}`,
      refusals: [notFound],
      answer,
      answerExample,
      handle: ({ deps, caller, params }) => show(deps.db, caller.centralId, params.id!),
    }),
    endpoint({
      ...taking,
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Alterar ${nouns.one}`,
      description: 'Substitui o registro inteiro.',
      refusals: [notFound, ...refusals],
      body,
      bodyExample,
      answer,
      answerExample,
      async handle({ deps, caller, params, body }) {
        const { centralId } = caller;
        const values = await kept.parse(body, centralId);
        return write(deps, async (tx) => {
          const id = params.id!;
          const before = await lockEntry(tx, centralId, id);
          if (!(await store.update(tx, centralId, id, values, caller))) throw new Refusal(notFound);
          const after = (await store.find(tx, centralId, id))!;
          await record(deps, tx, caller, id, { before, after }, kept.audit.hidden?.(values));
          return { data: format(after) };
        });
      },
    }),
    endpoint({
      ...writing,
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Excluir ${nouns.one}`,
      description: 'Somente quando nada mais depende do registro.',
      refusals: [notFound, 'record-in-use', ...(kept.removalRefusals ?? [])],
      answer: messageAnswer,
      answerExample: { success: true, message: deleted.pt },
      async handle({ deps, caller, params, language }) {
        await write(deps, async (tx) => {
          const before = await lockEntry(tx, caller.centralId, params.id!);
          if (!(await store.remove(tx, caller.centralId, params.id!, caller))) throw new Refusal(notFound);
          await record(deps, tx, caller, params.id!, { before, after: null });
        });
        return { message: deleted[language] };
      },
    }),
  ];
}

interface Sides<Entry> {
  before: Entry | null;
  after: Entry | null;
}

const withoutId = ({ id: _id, ...fields }: Fields): Fields => fields;

const deleted: Record<Language, string> = { pt: 'registro excluído', en: 'record deleted' };

/**
 * Writes in one transaction, and answers only after this process has applied the change, so that it is in effect for
 * the caller's next request.
 */
export async function writeRegister<Result>(
  { db, registersHeard }: AppDeps,
  work: (tx: Tx) => Promise<Result>,
  uniqueFields: Readonly<Record<string, string>> = {},
): Promise<Result> {
  try {
    const result = await db.begin(work);
    await db.afterCommit(registersHeard);
    return result;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'record-duplicate') throw error;
    const field = String(error.details.field);
    throw new Refusal('record-duplicate', { field: uniqueFields[field] ?? field });
  }
}
