import Type, { type TSchema } from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import type { RowKey } from '../../../platform/postgres/keysetPage.ts';
import type { AppDeps, Endpoint } from '../../http/endpoint.ts';
import { JsonText, listOpening } from '../../http/envelope.ts';
import { formatted, parseMoment } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import { answerWithList, nullable, parsePage } from '../../json/values.ts';
import { type ChangeState, readChanges } from './changeWalk.ts';
import { CURSOR_LENGTH_MAX, START, walkCursors } from './walkCursor.ts';
import { type Period, readWalk, type WalkFilter, type WalkNoun } from './walkStore.ts';

/*
 * The lists of the integration interface by cursor (contract 4.4, 4.9). A request with none of these fields is answered
 * by page, as it always was.
 */

const MOMENT = 'AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso';
const ORDER_NUMBER_LENGTH_MAX = 100;
const moment = (description: string) => Type.Optional(formatted('moment', `${description}; ${MOMENT}`));
const periodOf = (what: string) => ({
  from: moment(`${what} neste instante ou depois`),
  until: moment(`${what} até este segundo, inclusive`),
});

const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: CURSOR_LENGTH_MAX,
    description: `\`${START}\` na primeira página; depois, o \`proximo_cursor\` da resposta anterior, com os mesmos filtros`,
  }),
);
const requested = periodOf('pedidas');
const dispatched = periodOf('com disparo previsto');
const finished = periodOf('finalizadas');

const shared = {
  cursor,
  empresa_id: Type.Optional(Type.Integer({ minimum: 1, description: 'da empresa com este id' })),
  numero_pedido: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ORDER_NUMBER_LENGTH_MAX,
      description: 'com uma parada deste número de pedido',
    }),
  ),
  solicitada_de: requested.from,
  solicitada_ate: requested.until,
};
const changed = {
  alteradas_desde: moment('alteradas neste instante ou depois, na ordem das alterações'),
};

/** The fields of a walk, for each list. */
export const walkFields = {
  deliveries: {
    ...shared,
    finalizada_de: finished.from,
    finalizada_ate: finished.until,
    ...changed,
  },
  scheduled: {
    ...shared,
    disparo_de: dispatched.from,
    disparo_ate: dispatched.until,
    ...changed,
  },
} as const;

interface WalkRequest {
  cursor?: string;
  limite?: number;
  empresa_id?: number;
  numero_pedido?: string;
  solicitada_de?: string;
  solicitada_ate?: string;
  finalizada_de?: string;
  finalizada_ate?: string;
  disparo_de?: string;
  disparo_ate?: string;
  alteradas_desde?: string;
}

const NAMES = [...new Set(Object.values(walkFields).flatMap((fields) => Object.keys(fields)))];
const PERIODS = [
  ['solicitada_de', 'solicitada_ate'],
  ['finalizada_de', 'finalizada_ate'],
  ['disparo_de', 'disparo_ate'],
] as const;

export const isWalk = (request: object): boolean =>
  NAMES.some((name) => (request as Record<string, unknown>)[name] !== undefined);

/** What a schema cannot say: pages and cursors exclude each other, and no period ends before it begins. */
export const walkProblems: NonNullable<Endpoint['furtherProblems']> = (request, { caller }) => {
  const problems: Problem[] = [];
  const { timeZone } = caller.central;
  if (request.pagina !== undefined && isWalk(request))
    problems.push({
      field: 'pagina',
      pt: 'não se usa com cursor nem com os filtros dele: a página seguinte é pedida com o proximo_cursor',
      en: 'is not used with a cursor or its filters: the next page is asked for with the proximo_cursor',
    });
  for (const [de, ate] of PERIODS) {
    const { from, until } = parsePeriod(request[de], request[ate], timeZone);
    if (from && until && Temporal.Instant.compare(from, until) >= 0)
      problems.push({ field: ate, pt: `não pode ser antes de ${de}`, en: `must not be before ${de}` });
  }
  return problems;
};

/** What is not a moment is left out: its problem is that of the schema. */
function parsePeriod(de: unknown, ate: unknown, timeZone: string): Period {
  const read = (text: unknown, last?: boolean) =>
    typeof text === 'string' ? parseMoment(text, timeZone, last) : null;
  const last = read(ate, true);
  return {
    from: read(de),
    until: last?.round({ smallestUnit: 'second', roundingMode: 'trunc' }).add({ seconds: 1 }) ?? null,
  };
}

function filterOf(request: WalkRequest, timeZone: string): WalkFilter {
  const period = (de: string | undefined, ate: string | undefined) =>
    de === undefined && ate === undefined ? undefined : parsePeriod(de, ate, timeZone);
  return {
    companyId: request.empresa_id,
    orderNumber: request.numero_pedido,
    requested: period(request.solicitada_de, request.solicitada_ate),
    finished: period(request.finalizada_de, request.finalizada_ate),
    dispatched: period(request.disparo_de, request.disparo_ate),
  };
}

/** The answer of a list, by page or by cursor. */
export const answerWithWalk = <Data extends TSchema>(view: Parameters<typeof answerWithList<Data>>[0]) => {
  const { answer, answerExample } = answerWithList(view);
  return {
    answer: Type.Object({
      ...answer.properties,
      proximo_cursor: Type.Optional(
        nullable(
          Type.String({
            description:
              'só com cursor ou os filtros dele: o cursor da página seguinte; nulo: não há mais. Com `alteradas_desde` nunca é nulo, e serve para perguntar de novo mais tarde',
          }),
        ),
      ),
      ha_mais: Type.Optional(
        Type.Boolean({
          description: 'só com `alteradas_desde`: já há mais; falso: pergunte de novo mais tarde',
        }),
      ),
    }),
    answerExample,
  };
};

interface Walk {
  noun: WalkNoun;
  /** Filters that the list has anyway. */
  also?: Pick<WalkFilter, 'statuses' | 'payment' | 'driverId' | 'externalId'>;
  /** The rows of these ids, as JSON texts by id. */
  write(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer>>;
}

export async function walk(
  deps: AppDeps,
  caller: Caller,
  { cursor = START, limite, ...filters }: WalkRequest,
  { noun, also, write }: Walk,
): Promise<JsonText> {
  const { timeZone } = caller.central;
  const { limit } = parsePage(limite === undefined ? {} : { limite });
  const cursors = await walkCursors(deps, caller, noun, filters);
  const before = cursor === START ? null : cursors.read(cursor);
  const filter = { ...filterOf(filters, timeZone), ...also };
  const since = filters.alteradas_desde && parseMoment(filters.alteradas_desde, timeZone);
  if (since) {
    const { ids, state, hasMore } = await readChanges(
      deps.db,
      caller.centralId,
      { since, state: before as ChangeState | null },
      (order, after) => readWalk(deps.db, noun, caller, filter, order, { after, limit }),
    );
    return answer(await inOrder(ids, write), { proximo_cursor: cursors.write(state), ha_mais: hasMore });
  }
  const { rows, next } = await readWalk(
    deps.db,
    noun,
    caller,
    filter,
    { kind: 'newest' },
    {
      after: before as RowKey | null,
      limit,
    },
  );
  const documents = await inOrder(
    rows.map(({ id }) => id),
    write,
  );
  return answer(documents, { proximo_cursor: next && cursors.write(next) });
}

const inOrder = async (ids: readonly number[], write: Walk['write']): Promise<Buffer[]> => {
  if (ids.length === 0) return [];
  const written = await write(ids);
  return ids.flatMap((id) => written.get(id) ?? []);
};

const answer = (documents: readonly Buffer[], further: object): JsonText =>
  new JsonText(
    Buffer.concat([...listOpening(documents), Buffer.from(`],${JSON.stringify(further).slice(1)}`)]),
  );
