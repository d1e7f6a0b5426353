import Type, { type Static } from 'typebox';
import type { Change } from '../../audit/change.ts';
import { changeActor, recording } from '../../audit/recordChange.ts';
import { closeAccount, payClosing, previewClosing } from '../../billing/closeAccount.ts';
import {
  type Closing,
  type ClosingLine,
  findClosing,
  findClosingLines,
  listClosings,
  type OpenEntries,
  type Party,
} from '../../billing/closingStore.ts';
import type { Central } from '../../centrals/central.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { closingLineCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable, pageFields, parsePage } from '../../wire/values.ts';
import { closingCsv, closingPdf, discountOf } from '../wire/closingFile.ts';
import { instantShown, recordId } from '../wire/fields.ts';
import { pixOf } from '../wire/pix.ts';

const TAG = 'Operação: fechamentos';
const money = Type.String();
const day = Type.String({ description: 'AAAA-MM-DD' });
const body = Type.Object({ ate: formatted('iso-date', 'o último dia do fechamento, AAAA-MM-DD') });
const due = Type.String({
  description:
    'o que a empresa tem a pagar, ou o que a central tem a pagar ao entregador; negativo: o contrário',
});

const kindField = Type.Enum([...Object.values(closingLineCode)]);

const summary = {
  de: day,
  ate: day,
  entregas: Type.Integer(),
  totais: Type.Array(Type.Object({ tipo: kindField, valor: money })),
  descontos: money,
  total: due,
};

const ClosingSchema = Type.Object({
  id: recordId,
  empresa_id: nullable(recordId),
  condutor_id: nullable(recordId),
  nome: Type.String(),
  ...summary,
  fechado_em: instantShown,
  pago_em: nullable(instantShown),
  pix: nullable(
    Type.String({ description: 'código Pix copia e cola do total; nulo sem chave ou sem débito' }),
  ),
});

const leftOpen = {
  restantes: Type.Integer({
    description:
      'lançamentos do mesmo dia que ficam para o próximo fechamento; mais que 0 só em um dia que sozinho tem mais de ' +
      '5.000 lançamentos',
  }),
};

const LineSchema = Type.Object({
  numero: Type.Integer(),
  dia: day,
  tipo: kindField,
  estorno: Type.Boolean(),
  entrega_id: nullable(recordId),
  valor: money,
  desconto: money,
  motivo: nullable(Type.String()),
});

const formatSummary = (closing: Pick<OpenEntries, 'fromDay' | 'toDay' | 'totals' | 'dueCents'>) => ({
  de: closing.fromDay,
  ate: closing.toDay,
  entregas: closing.totals.deliveries ?? 0,
  totais: Object.entries(closingLineCode)
    .filter(([kind]) => closing.totals[kind as keyof typeof closingLineCode])
    .map(([kind, tipo]) => ({
      tipo,
      valor: centsToDecimal(closing.totals[kind as keyof typeof closingLineCode]!),
    })),
  descontos: centsToDecimal(
    (closing.totals.gross ?? 0) - (closing.totals.delivery ?? 0) - (closing.totals.cancellation_fee ?? 0),
  ),
  total: centsToDecimal(closing.dueCents),
});

const pixOfClosing = (central: Central, { id, companyId, dueCents, paidAt }: Closing): string | null =>
  companyId === null || paidAt !== null ? null : pixOf(central, dueCents, `FECHAMENTO${id}`);

const formatClosing = (central: Central, closing: Closing): Static<typeof ClosingSchema> => ({
  id: closing.id,
  empresa_id: closing.companyId,
  condutor_id: closing.driverId,
  nome: closing.name,
  ...formatSummary(closing),
  fechado_em: formatUtc(closing.createdAt),
  pago_em: closing.paidAt && formatUtc(closing.paidAt),
  pix: pixOfClosing(central, closing),
});

const formatLine = (line: ClosingLine): Static<typeof LineSchema> => ({
  numero: line.number,
  dia: line.day,
  tipo: closingLineCode[line.kind],
  estorno: line.reverses,
  entrega_id: line.deliveryId,
  valor: centsToDecimal(line.amountCents),
  desconto: centsToDecimal(0 - discountOf(line)),
  motivo: line.note,
});

const summaryExample = {
  de: '2026-10-01',
  ate: '2026-10-31',
  entregas: 2,
  totais: [
    { tipo: closingLineCode.delivery, valor: '42.30' },
    { tipo: closingLineCode.wallet, valor: '-18.40' },
  ],
  descontos: '2.10',
  total: '23.90',
};

const closingExample = {
  id: 12,
  empresa_id: 1,
  condutor_id: null,
  nome: 'Padaria Moinhos',
  ...summaryExample,
  fechado_em: '2026-11-01T12:00:00Z',
  pago_em: null,
  pix: '00020126360014br.gov.bcb.pix0114+555199999000052040000530398654052390…',
};

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
      answer: dataAnswer(Type.Object({ ...summary, lancamentos: Type.Integer(), ...leftOpen })),
      answerExample: { success: true, data: { ...summaryExample, lancamentos: 3, restantes: 0 } },
      async handle({ deps: { db, clock }, caller, params, body }) {
        const open = await previewClosing(db, caller, party(params.id!), body.ate, clock.now());
        return { data: { ...formatSummary(open), lancamentos: open.count, restantes: open.leftOpen } };
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
      answer: dataAnswer(Type.Object({ ...ClosingSchema.properties, ...leftOpen })),
      answerExample: { success: true, data: { ...closingExample, restantes: 0 } },
      async handle({ deps, caller, params, body }) {
        const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
          look: async () => null,
          tell: async (tx, _before, { id }: { id: number }) => closed(await findClosing(tx, caller, id)),
        });
        const { id, leftOpen } = await closeAccount({ ...deps, db }, caller, party(params.id!), body.ate);
        const closing = formatClosing(caller.central, await findClosing(deps.db, caller, id));
        return { data: { ...closing, restantes: leftOpen } };
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
    answer: dataAnswer(Type.Array(ClosingSchema)),
    answerExample: { success: true, data: [closingExample] },
    async handle({ deps: { db }, caller, query }) {
      const { tipo, empresa_id = null, condutor_id = null } = query;
      const of = {
        kind: tipo === 'empresas' ? 'companies' : tipo === 'condutores' ? 'drivers' : null,
        companyId: empresa_id,
        driverId: condutor_id,
      } as const;
      const closings = await listClosings(db, caller, of, parsePage(query));
      return { data: closings.map((closing) => formatClosing(caller.central, closing)) };
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
    answer: dataAnswer(Type.Object({ ...ClosingSchema.properties, lancamentos: Type.Array(LineSchema) })),
    answerExample: {
      success: true,
      data: {
        ...closingExample,
        lancamentos: [
          {
            numero: 7,
            dia: '2026-10-03',
            tipo: closingLineCode.delivery,
            estorno: false,
            entrega_id: 1042,
            valor: '23.90',
            desconto: '2.10',
            motivo: null,
          },
        ],
      },
    },
    async handle({ deps: { db }, caller, params, query }) {
      const closing = await findClosing(db, caller, params.id!);
      const { offset, limit } = parsePage(query);
      // The numbers of a closing are consecutive.
      const fromNumber = closing.fromNumber + offset;
      const toNumber = Math.min(closing.toNumber, fromNumber + limit - 1);
      const lines = await findClosingLines(db, caller.centralId, { ...closing, fromNumber, toNumber });
      return { data: { ...formatClosing(caller.central, closing), lancamentos: lines.map(formatLine) } };
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
    refusals: ['closing-not-found'],
    query: Type.Object({ formato: Type.Optional(Type.Enum(['pdf', 'csv'])) }),
    answer: dataAnswer(
      Type.Object({
        nome: Type.String({ description: 'nome do arquivo' }),
        tipo: Type.String({ description: 'tipo de mídia' }),
        conteudo: Type.String({ description: 'base64' }),
      }),
    ),
    answerExample: {
      success: true,
      data: { nome: 'fechamento-12.pdf', tipo: 'application/pdf', conteudo: 'JVBERi0xLjQK' },
    },
    async handle({ deps: { db }, caller, params, query }) {
      const closing = await findClosing(db, caller, params.id!);
      const lines = await findClosingLines(db, caller.centralId, closing);
      const { formato = 'pdf' } = query;
      const pix = pixOfClosing(caller.central, closing);
      const central = { ...caller.central, name: closing.centralName ?? caller.central.name };
      const document = { central, closing, lines, pix };
      const bytes = await (formato === 'pdf' ? closingPdf(document) : closingCsv(document));
      return {
        data: {
          nome: `fechamento-${closing.id}.${formato}`,
          tipo: formato === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8',
          conteudo: bytes.toString('base64'),
        },
      };
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
    answer: dataAnswer(ClosingSchema),
    answerExample: { success: true, data: { ...closingExample, pago_em: '2026-11-05T12:00:00Z', pix: null } },
    async handle({ deps, caller, params }) {
      const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
        look: async () => ({ pago_em: null }),
        tell: (_tx, before, { id, name, paidAt }: Closing) => ({
          subject: 'closing',
          id,
          name,
          before,
          after: { pago_em: paidAt && formatUtc(paidAt) },
        }),
      });
      return { data: formatClosing(caller.central, await payClosing({ ...deps, db }, caller, params.id!)) };
    },
  }),
];
