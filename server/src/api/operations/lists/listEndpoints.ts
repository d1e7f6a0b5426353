import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import type { Permission } from '../../../centrals/permissions.ts';
import { findMatchingIds } from '../../../insight/search/findMatches.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import type { Slice, SliceRequest } from '../../../platform/postgres/keysetPage.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { formatted } from '../../http/formats.ts';
import type { Check } from '../../http/validation.ts';
import { dataAnswer, nullable } from '../../json/values.ts';
import type { View } from '../../json/view.ts';
import { CSV_MARK, type CsvCell, csvLine, csvLines } from '../wire/csv.ts';
import { CURSOR_LENGTH_MAX, readCursor, writeCursor } from '../wire/cursor.ts';
import { given } from '../wire/fields.ts';

const PAGE_SIZE = 50;
const PAGE_SIZE_MAX = 100;
/** Counts stop here: "more than 1,000". */
const COUNT_MAX = 1_000;
/** Rows of one part of a file. Only one part is held in memory. */
const PART_ROWS = 1_000;
const FILE_ROWS_MAX = 100_000;
/** The maximum of matches of a text, the newest first. The other filters choose among these. */
const MATCHES_MAX = 1_000;

export interface ListContext {
  now: Temporal.Instant;
  timeZone: string;
  language: Language;
}

interface ListShape<Filter extends TProperties, Row extends object, Shown extends TSchema> {
  /** The path of the nouns, such as /entregas; the endpoints are `consultar` and `exportar` below it. */
  path: string;
  tag: string;
  /** The listed noun, as in the sentence `Listar entregas`. */
  noun: string;
  description: string;
  permission: Permission;
  filter: Filter;
  filterExample: Record<string, unknown>;
  /** The first one is the default. */
  orders: readonly [string, ...string[]];
  entry: View<Row, ListContext, Shown>;
  /** The noun of the search index; requires `searchField` as the filter `texto`. */
  searched?: 'delivery' | 'scheduled';
  read(
    tx: Tx,
    caller: Caller,
    query: ListQuery<Filter>,
    request: SliceRequest,
    matches: Matches,
  ): Promise<Slice<Row>>;
  count(
    tx: Tx,
    caller: Caller,
    query: ListQuery<Filter>,
    max: number,
    matches: Matches,
  ): Promise<{ count: number; isAll: boolean }>;
  /** The columns of the file: header and cell. */
  columns: readonly (readonly [title: string, cell: (row: Row, context: ListContext) => CsvCell])[];
}

export type ListQuery<Filter extends TProperties> = Static<TObject<Filter>> & { ordem: string };

/** The ids that match the text; null: no text was given. */
type Matches = readonly number[] | null;

/** A text with the syntax of the search box. */
export const searchField = Type.Optional(
  Type.String({
    maxLength: 100,
    description: `como na busca: número, pedido, id_externo, destinatário, telefone ou endereço; os ${MATCHES_MAX} registros mais novos que o contêm, aos quais os outros filtros se aplicam`,
  }),
);

/** A period of the central's days. */
export const periodFields = {
  de: Type.Optional(formatted('iso-date', 'desde este dia da central, AAAA-MM-DD')),
  ate: Type.Optional(formatted('iso-date', 'até este dia da central, inclusive, AAAA-MM-DD')),
};

/** The first instant of the period, and the first one after it. */
export function periodOf({ de, ate }: { de?: string; ate?: string }, timeZone: string) {
  const begin = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant();
  return {
    from: de === undefined ? null : begin(Temporal.PlainDate.from(de)),
    until: ate === undefined ? null : begin(Temporal.PlainDate.from(ate).add({ days: 1 })),
  };
}

export const checkPeriod: Check = ({ de, ate }) =>
  typeof de === 'string' && typeof ate === 'string' && de > ate
    ? [{ field: 'ate', pt: 'não pode ser antes do primeiro dia', en: 'must not be before the first day' }]
    : [];

/** The endpoints of a list: a filtered page, and the same rows as a file. */
export function listEndpoints<Filter extends TProperties, Row extends object, Shown extends TSchema>(
  list: ListShape<Filter, Row, Shown>,
): Endpoint[] {
  const { path, noun, tag, permission, orders } = list;
  const ordem = Type.Optional(Type.Enum([...orders], { description: `padrão ${orders[0]}` }));
  const cursor = Type.Optional(
    Type.String({ maxLength: CURSOR_LENGTH_MAX, description: 'o `proximo` da página anterior, como veio' }),
  );
  type Body = Static<TObject<Filter>> & {
    ordem?: string;
    cursor?: string;
    limite?: number;
    contar?: boolean;
  };

  const begin = (caller: Caller, use: 'page' | 'file', { cursor, ...asked }: Body) => {
    const filter = { ...asked, ordem: asked.ordem ?? orders[0] };
    // The page size may change from page to page; a cursor is bound to the other parameters.
    delete filter.limite;
    delete filter.contar;
    const query = filter as unknown as ListQuery<Filter>;
    return {
      query,
      after: cursor === undefined ? null : readCursor(caller, `${path} ${use}`, query, cursor),
      next: ({ next }: Slice<Row>, count: number) =>
        next && writeCursor(caller, `${path} ${use}`, query, { ...next, count }),
    };
  };
  /** `isCut`: the text has more matches than the maximum. */
  const matchesOf = async (
    tx: Tx,
    caller: Caller,
    query: object,
  ): Promise<{ matches: Matches; isCut: boolean }> => {
    const typed = 'texto' in query ? given(query.texto as string) : null;
    if (!list.searched || typed === null) return { matches: null, isCut: false };
    const ids = await findMatchingIds(tx, caller, list.searched, typed, MATCHES_MAX + 1);
    return { matches: ids.slice(0, MATCHES_MAX), isCut: ids.length > MATCHES_MAX };
  };
  const shared = {
    method: 'POST',
    readOnly: true,
    tag,
    permission,
    limit: 'operations',
    isHeavy: true,
  } as const;
  const refusals = ['cursor-not-valid'] as const;

  return [
    endpoint({
      ...shared,
      path: `${path}/consultar`,
      summary: `Listar ${noun}`,
      description: `${list.description} A página seguinte é pedida com \`cursor\`, e os mesmos filtros; o que é criado no meio do caminho não desloca nada. Um filtro que quase nada atende pode dar uma página curta, ou vazia, com \`busca_continua\` e um \`proximo\` de onde a busca continua. \`total\` vem com \`contar\`, até ${COUNT_MAX}.`,
      refusals,
      body: Type.Object(
        {
          ...list.filter,
          ordem,
          cursor,
          limite: Type.Optional(
            Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: `padrão ${PAGE_SIZE}` }),
          ),
          contar: Type.Optional(Type.Boolean()),
        },
        { check: checkPeriod },
      ),
      bodyExample: { ...list.filterExample, ordem: orders[0], limite: PAGE_SIZE, contar: true },
      answer: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(list.entry.schema as TSchema),
        proximo: nullable(Type.String({ description: 'cursor da página seguinte; nulo: não há mais' })),
        busca_continua: Type.Boolean({
          description: 'a página é curta porque muitos registros foram examinados, não porque acabaram',
        }),
        total: nullable(
          Type.Object({
            numero: Type.Integer(),
            exato: Type.Boolean({ description: 'falso: há mais do que isso' }),
          }),
        ),
      }),
      answerExample: {
        success: true,
        data: [list.entry.example],
        proximo: null,
        busca_continua: false,
        total: { numero: 1, exato: true },
      },
      async handle({ deps: { db, clock }, caller, body: sent, language }) {
        const body = sent as Body;
        const { query, after, next } = begin(caller, 'page', body);
        const context = { now: clock.now(), timeZone: caller.central.timeZone, language };
        const { matches, isCut } = await matchesOf(db, caller, query);
        const [slice, total] = await Promise.all([
          list.read(db, caller, query, { after, limit: body.limite ?? PAGE_SIZE }, matches),
          body.contar ? list.count(db, caller, query, COUNT_MAX, matches) : null,
        ]);
        return {
          data: slice.rows.map((row) => list.entry.show(row, context)),
          proximo: next(slice, 0),
          busca_continua: slice.isCutShort,
          total: total && { numero: total.count, exato: total.isAll && !isCut },
        };
      },
    }),
    endpoint({
      ...shared,
      path: `${path}/exportar`,
      summary: `Exportar ${noun} para uma planilha`,
      description: `CSV em partes de até ${PART_ROWS} linhas, com os filtros e a ordem de \`${path}/consultar\`: ponto e vírgula, vírgula decimal, datas da central. O arquivo é a soma dos \`conteudo\`, pedidos com o \`proximo\` até ele ser nulo, e tem até ${FILE_ROWS_MAX} linhas; \`limitado\` diz que havia mais.${list.searched ? ` De um \`texto\` valem os ${MATCHES_MAX} registros mais novos que o contêm: se há outros, o arquivo é \`limitado\` com menos linhas do que \`limite_linhas\`.` : ''}`,
      refusals,
      body: Type.Object({ ...list.filter, ordem, cursor }, { check: checkPeriod }),
      bodyExample: { ...list.filterExample, ordem: orders[0] },
      answer: dataAnswer(
        Type.Object({
          nome: Type.String({ description: 'nome do arquivo' }),
          conteudo: Type.String({ description: 'esta parte; a primeira traz o cabeçalho' }),
          linhas: Type.Integer({ description: 'até aqui, sem o cabeçalho' }),
          limite_linhas: Type.Integer(),
          limitado: Type.Boolean({ description: 'o arquivo termina aqui, e há mais do que ele traz' }),
          proximo: nullable(Type.String()),
        }),
      ),
      answerExample: {
        success: true,
        data: {
          nome: `${fileName(path)}-2026-11-16.csv`,
          conteudo: `${CSV_MARK}${csvLine(list.columns.map(([title]) => title))}`,
          linhas: 0,
          limite_linhas: FILE_ROWS_MAX,
          limitado: false,
          proximo: null,
        },
      },
      async handle({ deps: { db, clock }, caller, body, language }) {
        const { query, after, next } = begin(caller, 'file', body as Body);
        const context = { now: clock.now(), timeZone: caller.central.timeZone, language };
        const before = after?.count ?? 0;
        if (before >= FILE_ROWS_MAX) throw new Refusal('cursor-not-valid');
        const limit = Math.min(PART_ROWS, FILE_ROWS_MAX - before);
        const { matches, isCut } = await matchesOf(db, caller, query);
        const slice = await list.read(db, caller, query, { after, limit }, matches);
        const lines = await csvLines(slice.rows, (row) => list.columns.map(([, cell]) => cell(row, context)));
        const head = after ? '' : CSV_MARK + csvLine(list.columns.map(([title]) => title));
        const count = before + slice.rows.length;
        const isFull = count >= FILE_ROWS_MAX;
        const isEnd = isFull || slice.next === null;
        const today = context.now.toZonedDateTimeISO(context.timeZone).toPlainDate();
        return {
          data: {
            nome: `${fileName(path)}-${today}.csv`,
            conteudo: head + lines,
            linhas: count,
            limite_linhas: FILE_ROWS_MAX,
            limitado: isEnd && (isCut || slice.next !== null),
            proximo: isEnd ? null : next(slice, count),
          },
        };
      },
    }),
  ];
}

/** People read the name, so it uses their word for drivers. */
const fileName = (path: string): string =>
  path.slice(1).replaceAll('/', '-').replace('condutores', 'entregadores');
