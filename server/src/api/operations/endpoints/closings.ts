import Type from 'typebox';
import type { Central } from '../../../centrals/central.ts';
import type { Change } from '../../../events/audit/change.ts';
import { changeActor, recording } from '../../../events/audit/recordChange.ts';
import { brCodeOf } from '../../../money/billing/brCode.ts';
import { closeAccount, payClosing, previewClosing } from '../../../money/billing/closeAccount.ts';
import {
  type Closing,
  type ClosingLine,
  findClosing,
  findClosingLines,
  listClosings,
  type OpenEntries,
  type Party,
  readClosingLines,
} from '../../../money/billing/closingStore.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { FileAnswer, FileSchema, fileAnswerExample } from '../../http/fileAnswer.ts';
import { formatted } from '../../http/formats.ts';
import { closingLineCode } from '../../json/codes.ts';
import { answerWith, answerWithList, formatUtc, pageFields, parsePage } from '../../json/values.ts';
import { cents, code, flag, id, instant, integer, kind, list, text, view } from '../../json/view.ts';
import { closingCsv, closingPdf, discountOf } from '../wire/closingFile.ts';
import { recordId } from '../wire/fields.ts';

const TAG = 'Operação: fechamentos';
const day = kind(Type.String, (date: string) => date, 'AAAA-MM-DD');
const body = Type.Object({ ate: formatted('iso-date', 'o último dia do fechamento, AAAA-MM-DD') });
const lineKind = code(closingLineCode);

type Sums = Pick<OpenEntries, 'fromDay' | 'toDay' | 'totals' | 'dueCents'>;

const total = view<{ kind: keyof typeof closingLineCode; sum: number }>()({
  tipo: lineKind((each) => each.kind, closingLineCode.delivery),
  valor: cents((each) => each.sum, '42.30'),
});

const totalsOf = ({ totals }: Sums) =>
  (Object.keys(closingLineCode) as (keyof typeof closingLineCode)[])
    .filter((kind) => totals[kind])
    .map((kind) => ({ kind, sum: totals[kind]! }));

const sumFields = {
  de: day((sums: Sums) => sums.fromDay, '2026-10-01'),
  ate: day((sums: Sums) => sums.toDay, '2026-10-31'),
  entregas: integer(({ totals }: Sums) => totals.deliveries ?? 0, 2),
  totais: list(total, totalsOf, {
    example: [total.example, { tipo: closingLineCode.wallet, valor: '-18.40' }],
  }),
  descontos: cents(
    ({ totals }: Sums) => (totals.gross ?? 0) - (totals.delivery ?? 0) - (totals.cancellation_fee ?? 0),
    '2.10',
  ),
  total: cents(
    (sums: Sums) => sums.dueCents,
    '23.90',
    'o que a empresa tem a pagar, ou o que a central tem a pagar ao entregador; negativo: o contrário',
  ),
};

const leftOpen = {
  restantes: integer(
    (closing: { leftOpen: number }) => closing.leftOpen,
    0,
    'lançamentos do mesmo dia que ficam para o próximo fechamento; mais que 0 só em um dia que sozinho tem mais de ' +
      '5.000 lançamentos',
  ),
};

const openEntries = view<OpenEntries>()({
  ...sumFields,
  lancamentos: integer((open) => open.count, 3),
  ...leftOpen,
});

const brCodeOfClosing = (central: Central, { id, companyId, dueCents, paidAt }: Closing): string | null =>
  companyId === null || paidAt !== null ? null : brCodeOf(central, dueCents, `FECHAMENTO${id}`);

const closingFields = {
  id: id((closing: Closing) => closing.id, '12'),
  empresa_id: id.orNull((closing: Closing) => closing.companyId, '1'),
  condutor_id: id.orNull((closing: Closing) => closing.driverId, null),
  nome: text((closing: Closing) => closing.name, 'Padaria Moinhos'),
  ...sumFields,
  fechado_em: instant((closing: Closing) => closing.createdAt, '2026-11-01T12:00:00Z'),
  pago_em: instant.orNull((closing: Closing) => closing.paidAt, null),
  pix: text.orNull(
    (closing: Closing, central: Central) => brCodeOfClosing(central, closing),
    '00020126360014br.gov.bcb.pix0114+555199999000052040000530398654052390…',
    'código Pix copia e cola do total; nulo sem chave ou sem débito',
  ),
};
const closingShown = view<Closing, Central>()(closingFields);
const justClosed = view<Closing & { leftOpen: number }, Central>()({ ...closingFields, ...leftOpen });

const line = view<ClosingLine>()({
  numero: integer((each) => each.number, 7),
  dia: day((each) => each.day, '2026-10-03'),
  tipo: lineKind((each) => each.kind, closingLineCode.delivery),
  estorno: flag((each) => each.reverses, false),
  entrega_id: id.orNull((each) => each.deliveryId, '1042'),
  valor: cents((each) => each.amountCents, '23.90'),
  desconto: cents((each) => 0 - discountOf(each), '2.10'),
  motivo: text.orNull((each) => each.note, null),
});

const closingWithLines = view<Closing & { lines: ClosingLine[] }, Central>()({
  ...closingFields,
  lancamentos: list(line, (closing) => closing.lines),
});

/** The two ways in which an account is closed, for each kind of party. */
function closingsOf(path: '/empresas' | '/condutores', party: (id: number) => Party): Endpoint[] {
  const isCompany = path === '/empresas';
  const whom = isCompany ? 'uma empresa' : 'um entregador';
  const shared = {
    tag: TAG,
    permission: 'closings',
    limit: 'operations',
    body,
    bodyExample: { ate: '2026-10-31' },
  } as const;
  const refusals = [
    isCompany ? 'company-not-found' : 'driver-not-found',
    'nothing-to-close',
    'closing-too-large',
  ] as const;
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/:id/fechamentos/simular`,
      readOnly: true,
      summary: `Ver o que o fechamento de ${whom} teria`,
      description:
        'Tudo o que ainda não está em um fechamento, até o dia. Nada muda. Um dia que sozinho tem mais de 5.000 ' +
        'lançamentos é fechado em partes: a primeira é a que se vê aqui.',
      refusals,
      ...answerWith(openEntries),
      async handle({ deps: { db, clock }, caller, params, body }) {
        const open = await previewClosing(db, caller, party(params.id!), body.ate, clock.now());
        return { data: openEntries.show(open, undefined) };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/:id/fechamentos`,
      summary: `Fechar as contas de ${whom}`,
      description:
        'Fecha tudo o que está em aberto até o dia. Um lançamento entra em um só fechamento; o que vier depois fica para ' +
        'o próximo. Um fechamento tem até 5.000 lançamentos: um dia que sozinho tem mais é fechado em partes, na ordem ' +
        'dos lançamentos.',
      refusals,
      ...answerWith(justClosed),
      async handle({ deps, caller, params, body }) {
        const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
          readBefore: async () => null,
          describe: async (tx, _before, { id }: { id: number }) => closed(await findClosing(tx, caller, id)),
        });
        const { id, leftOpen } = await closeAccount({ ...deps, db }, caller, party(params.id!), body.ate);
        const closing = await findClosing(deps.db, caller, id);
        return { data: justClosed.show({ ...closing, leftOpen }, caller.central) };
      },
    }),
  ];
}

const closed = (closing: Closing): Change => ({
  subject: 'closing',
  id: closing.id,
  name: closing.name,
  before: null,
  after: { de: closing.fromDay, ate: closing.toDay, total: centsToDecimal(closing.dueCents) },
});

const CLOSING = '/fechamentos/:id';

export const closingEndpoints: Endpoint[] = [
  ...closingsOf('/empresas', (companyId) => ({ companyId })),
  ...closingsOf('/condutores', (driverId) => ({ driverId })),
  endpoint({
    method: 'GET',
    path: '/fechamentos',
    tag: TAG,
    summary: 'Listar fechamentos',
    description:
      'Do mais novo para o mais antigo; de todos, ou de uma empresa ou de um entregador. Um gerente lê os da própria empresa.',
    permission: 'closings-read',
    limit: 'operations',
    query: Type.Object({
      ...pageFields,
      tipo: Type.Optional(Type.Enum(['empresas', 'condutores'])),
      empresa_id: Type.Optional(recordId),
      condutor_id: Type.Optional(recordId),
    }),
    ...answerWithList(closingShown),
    async handle({ deps: { db }, caller, query }) {
      const { tipo, empresa_id = null, condutor_id = null } = query;
      const of = {
        kind: tipo === 'empresas' ? 'companies' : tipo === 'condutores' ? 'drivers' : null,
        companyId: empresa_id,
        driverId: condutor_id,
      } as const;
      const closings = await listClosings(db, caller, of, parsePage(query));
      return { data: closings.map((closing) => closingShown.show(closing, caller.central)) };
    },
  }),
  endpoint({
    method: 'GET',
    path: CLOSING,
    tag: TAG,
    summary: 'Ler um fechamento e seus lançamentos',
    permission: 'closings-read',
    limit: 'operations',
    refusals: ['closing-not-found'],
    query: Type.Object(pageFields),
    ...answerWith(closingWithLines),
    async handle({ deps: { db }, caller, params, query }) {
      const closing = await findClosing(db, caller, params.id!);
      const { offset, limit } = parsePage(query);
      // The numbers of a closing are consecutive.
      const fromNumber = closing.fromNumber + offset;
      const toNumber = Math.min(closing.toNumber, fromNumber + limit - 1);
      const lines = await findClosingLines(db, caller.centralId, { ...closing, fromNumber, toNumber });
      return { data: closingWithLines.show({ ...closing, lines }, caller.central) };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${CLOSING}/arquivo`,
    tag: TAG,
    summary: 'Baixar o extrato de um fechamento',
    description: 'Em PDF, para enviar, ou em CSV, para planilhas. O conteúdo vem em base64.',
    permission: 'closings-read',
    limit: 'operations',
    isHeavy: true,
    refusals: ['closing-not-found'],
    query: Type.Object({ formato: Type.Optional(Type.Enum(['pdf', 'csv'])) }),
    answer: FileSchema,
    answerExample: fileAnswerExample('fechamento-12.pdf', 'application/pdf', 'JVBERi0xLjQK'),
    async handle({ deps: { db }, caller, params, query }) {
      const closing = await findClosing(db, caller, params.id!);
      const lines = () => readClosingLines(db, caller.centralId, closing);
      const { formato = 'pdf' } = query;
      const pix = brCodeOfClosing(caller.central, closing);
      const central = { ...caller.central, name: closing.centralName };
      const document = { central, closing, lines, pix };
      const name = `fechamento-${closing.id}.${formato}`;
      return formato === 'pdf'
        ? new FileAnswer(name, 'application/pdf', closingPdf(document))
        : new FileAnswer(name, 'text/csv; charset=utf-8', closingCsv(document));
    },
  }),
  endpoint({
    method: 'POST',
    path: `${CLOSING}/pagar`,
    tag: TAG,
    summary: 'Marcar um fechamento como pago',
    description:
      'A empresa pagou a fatura, ou a central pagou o entregador. A conta recebe o lançamento do pagamento. O dinheiro ' +
      'recebido que o acerto descontou deixa de constar como dinheiro a entregar.',
    permission: 'closings',
    limit: 'operations',
    refusals: ['closing-not-found', 'closing-paid'],
    ...answerWith({
      schema: closingShown.schema,
      example: { ...closingShown.example, pago_em: '2026-11-05T12:00:00Z', pix: null },
    }),
    async handle({ deps, caller, params }) {
      const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
        readBefore: async () => ({ pago_em: null }),
        describe: (_tx, before, { id, name, paidAt }: Closing) => ({
          subject: 'closing',
          id,
          name,
          before,
          after: { pago_em: paidAt && formatUtc(paidAt) },
        }),
      });
      return {
        data: closingShown.show(await payClosing({ ...deps, db }, caller, params.id!), caller.central),
      };
    },
  }),
];
