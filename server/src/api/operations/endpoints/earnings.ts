import Type, { type Static } from 'typebox';
import { changeActor, recordChange, recording } from '../../audit/recordChange.ts';
import { type Reversed, reverseEntry } from '../../billing/reverseEntry.ts';
import type { Caller } from '../../centrals/caller.ts';
import { findDriver } from '../../drivers/driverStore.ts';
import { actingDriver } from '../../drivers/reportPosition.ts';
import {
  type DriverEntry,
  type Earned,
  type Earnings,
  findAccount,
  findDriverEntries,
  findEarnings,
  localDay,
  lockAccount,
} from '../../earnings/earningStore.ts';
import { enterByHand, type HandEntry } from '../../earnings/enterByHand.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import { centsToDecimal, decimalToCents } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../postgres/database.ts';
import { driverEntryCode, REVERSAL_CODE } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { instantShown, optionalId, recordId, requiredText } from '../wire/fields.ts';

const TAG = 'Operação: ganhos dos entregadores';
const ENTRIES_MAX = 100;
const ENTRIES_USUAL = 50;

const money = Type.String();
const date = formatted('iso-date', 'AAAA-MM-DD no fuso da central, incluído');
const balance = Type.String({ description: 'o que a central deve ao entregador; negativo: o que ele deve' });

const EntrySchema = Type.Object({
  id: recordId,
  numero: Type.Integer({ description: 'o lugar no extrato: 1, 2, 3 …' }),
  tipo: Type.Enum([...Object.values(driverEntryCode), REVERSAL_CODE]),
  valor: Type.String({ description: 'negativo quando diminui o que a central deve ao entregador' }),
  saldo_apos: money,
  dinheiro_apos: Type.String({ description: 'dinheiro a entregar depois do lançamento' }),
  dia: Type.String({ description: 'AAAA-MM-DD no fuso da central' }),
  entrega_id: nullable(recordId),
  estorna_id: nullable(recordId),
  motivo: nullable(Type.String()),
  usuario_id: nullable(recordId),
  data_hora: instantShown,
});

const formatEntry = (entry: DriverEntry): Static<typeof EntrySchema> => ({
  id: entry.id,
  numero: entry.number,
  tipo: entry.reversesId === null ? driverEntryCode[entry.kind] : REVERSAL_CODE,
  valor: centsToDecimal(entry.amountCents),
  saldo_apos: centsToDecimal(entry.balanceAfterCents),
  dinheiro_apos: centsToDecimal(entry.cashAfterCents),
  dia: entry.day,
  entrega_id: entry.deliveryId,
  estorna_id: entry.reversesId,
  motivo: entry.note,
  usuario_id: entry.userId,
  data_hora: formatUtc(entry.createdAt),
});

/** A driver's login may ask only for itself. Other drivers are answered as missing. */
async function assertDriver(tx: Tx, caller: Caller, driverId: number): Promise<void> {
  actingDriver(caller, driverId);
  if (!(await findDriver(tx, caller.centralId, driverId))) throw new Refusal('driver-not-found');
}

export const readDriverStatementEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/:id/extrato',
  tag: TAG,
  summary: 'Ler o extrato de um entregador',
  description:
    'Lançamentos do mais novo para o mais antigo, o saldo e o dinheiro a entregar de agora. O saldo após cada lançamento ' +
    'é o do anterior mais o valor. `proximo` é o `cursor` da próxima página. Um entregador lê o próprio.',
  permission: 'earnings-read',
  limit: 'operations',
  refusals: ['driver-not-found'],
  query: Type.Object({
    de: Type.Optional(date),
    ate: Type.Optional(date),
    cursor: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'o `proximo` da página anterior',
      }),
    ),
    limite: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ENTRIES_MAX,
        description: `lançamentos por página; padrão ${ENTRIES_USUAL}`,
      }),
    ),
  }),
  answer: dataAnswer(
    Type.Object({
      saldo: balance,
      dinheiro_a_entregar: money,
      lancamentos: Type.Array(EntrySchema),
      proximo: nullable(Type.Integer()),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      saldo: '187.40',
      dinheiro_a_entregar: '42.90',
      lancamentos: [
        {
          id: 214,
          numero: 31,
          tipo: driverEntryCode.share,
          valor: '9.80',
          saldo_apos: '187.40',
          dinheiro_apos: '42.90',
          dia: '2026-11-16',
          entrega_id: 1042,
          estorna_id: null,
          motivo: null,
          usuario_id: null,
          data_hora: '2026-11-16T15:00:00Z',
        },
      ],
      proximo: null,
    },
  },
  async handle({ deps: { db }, caller, params, query }) {
    const driverId = params.id!;
    await assertDriver(db, caller, driverId);
    const { de = null, ate = null, cursor = null, limite = ENTRIES_USUAL } = query;
    const period = { from: de, to: ate, before: cursor, limit: limite + 1 };
    const [account, found] = await Promise.all([
      findAccount(db, caller.centralId, driverId),
      findDriverEntries(db, caller.centralId, driverId, period),
    ]);
    const entries = found.slice(0, limite);
    return {
      data: {
        saldo: centsToDecimal(account.balanceCents),
        dinheiro_a_entregar: centsToDecimal(account.cashCents),
        lancamentos: entries.map(formatEntry),
        proximo: found.length > limite ? entries.at(-1)!.number : null,
      },
    };
  },
});

const EarnedSchema = Type.Object({
  entregas: Type.Integer({ description: 'finalizadas' }),
  valor: Type.String({ description: 'repasses e ajustes' }),
  dinheiro_recebido: money,
});

export const EarningsSchema = Type.Object({
  hoje: EarnedSchema,
  semana: Type.Object(EarnedSchema.properties, { description: 'desde segunda-feira' }),
  saldo: balance,
  dinheiro_a_entregar: money,
});

const formatEarned = ({ deliveries, earnedCents, collectedCents }: Earned): Static<typeof EarnedSchema> => ({
  entregas: deliveries,
  valor: centsToDecimal(earnedCents),
  dinheiro_recebido: centsToDecimal(collectedCents),
});

export const formatEarnings = (earnings: Earnings): Static<typeof EarningsSchema> => ({
  hoje: formatEarned(earnings.today),
  semana: formatEarned(earnings.week),
  saldo: centsToDecimal(earnings.balanceCents),
  dinheiro_a_entregar: centsToDecimal(earnings.cashCents),
});

const earningsExample: Static<typeof EarningsSchema> = {
  hoje: { entregas: 7, valor: '68.60', dinheiro_recebido: '42.90' },
  semana: { entregas: 31, valor: '301.20', dinheiro_recebido: '212.40' },
  saldo: '187.40',
  dinheiro_a_entregar: '42.90',
};

export const readEarningsEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/:id/ganhos',
  tag: TAG,
  summary: 'Ler os ganhos de um entregador',
  description:
    'Hoje e esta semana no fuso da central, o saldo e o dinheiro a entregar. Um entregador lê os próprios.',
  permission: 'earnings-read',
  limit: 'operations',
  refusals: ['driver-not-found'],
  answer: dataAnswer(EarningsSchema),
  answerExample: { success: true, data: earningsExample },
  async handle({ deps: { db, clock }, caller, params }) {
    const driverId = params.id!;
    await assertDriver(db, caller, driverId);
    const today = localDay(clock.now(), caller.central.timeZone);
    return { data: formatEarnings(await findEarnings(db, caller.centralId, driverId, today)) };
  },
});

const handKinds = { adjustment: 'ajuste', payment: 'pagamento', handed_in: 'dinheiro_entregue' } as const;

const HandEntryBody = Type.Object(
  {
    tipo: Type.Enum([...Object.values(handKinds), REVERSAL_CODE]),
    valor: Type.Optional(
      formatted('signed-money', 'decimal; negativo somente em um ajuste; ausente em um estorno'),
    ),
    lancamento_id: Type.Optional(
      nullable(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'o que é estornado' }),
      ),
    ),
    entrega_id: optionalId,
    motivo: requiredText(300),
  },
  { check: checkHandEntry },
);

function checkHandEntry({ tipo, valor, lancamento_id }: Readonly<Record<string, unknown>>): Problem[] {
  const isNamed = lancamento_id !== undefined && lancamento_id !== null;
  if (tipo === REVERSAL_CODE)
    return isNamed
      ? []
      : [{ field: 'lancamento_id', pt: 'é obrigatório em um estorno', en: 'is required for a reversal' }];
  if (isNamed)
    return [{ field: 'lancamento_id', pt: 'é somente de um estorno', en: 'belongs to a reversal only' }];
  const cents = typeof valor === 'string' ? decimalToCents(valor) : null;
  // A text that is not an amount is reported by its format.
  if (cents === null)
    return valor === undefined ? [{ field: 'valor', pt: 'é obrigatório', en: 'is required' }] : [];
  if (cents === 0) return [{ field: 'valor', pt: 'não pode ser zero', en: 'must not be zero' }];
  return cents < 0 && tipo !== handKinds.adjustment
    ? [{ field: 'valor', pt: 'deve ser maior que zero', en: 'must be above zero' }]
    : [];
}

function parseHandEntry(body: Static<typeof HandEntryBody>): HandEntry {
  const [kind] = Object.entries(handKinds).find(([, code]) => code === body.tipo)!;
  return {
    kind: kind as keyof typeof handKinds,
    cents: decimalToCents(body.valor!)!,
    deliveryId: body.entrega_id ?? null,
    note: body.motivo.trim(),
  };
}

const reversalOf = (body: Static<typeof HandEntryBody>) => ({
  entryId: body.lancamento_id!,
  note: body.motivo.trim(),
});

export const enterByHandEndpoint = endpoint({
  method: 'POST',
  path: '/condutores/:id/lancamentos',
  tag: TAG,
  summary: 'Lançar na conta de um entregador',
  description: [
    '`ajuste` aumenta ou, negativo, diminui o que a central deve ao entregador; `pagamento` é o que a central lhe pagou; `dinheiro_entregue` é o dinheiro recebido de destinatários que ele entregou à central, no máximo o que tem a entregar; `estorno` desfaz o lançamento `lancamento_id`.',
    'O motivo fica no extrato. Nada se apaga: um engano se corrige com um estorno. O estorno do pagamento de um fechamento deixa o fechamento a pagar de novo.',
  ].join('\n\n'),
  permission: 'driver-entries',
  limit: 'operations',
  refusals: ['driver-not-found', 'delivery-not-found', 'entry-not-found', 'entry-reversed', 'cash-not-held'],
  body: HandEntryBody,
  bodyExample: { tipo: handKinds.payment, valor: '187.40', motivo: 'Semana de 9 a 15 de novembro, por Pix' },
  answer: dataAnswer(Type.Object({ id: recordId, saldo: balance, dinheiro_a_entregar: money })),
  answerExample: { success: true, data: { id: 215, saldo: '0.00', dinheiro_a_entregar: '0.00' } },
  async handle({ deps, caller, params, body }) {
    const driverId = params.id!;
    const figures = async (tx: Tx) => {
      const { balanceCents, cashCents } = await findAccount(tx, caller.centralId, driverId);
      return { saldo: centsToDecimal(balanceCents), dinheiro_a_entregar: centsToDecimal(cashCents) };
    };
    const actor = changeActor(caller, deps.clock.now(), 'operations');
    // The reason is stored in the account only, where erasure and retention find it.
    const db = recording(deps.db, actor, {
      async look(tx) {
        const driver = await findDriver(tx, caller.centralId, driverId);
        if (!driver) throw new Refusal('driver-not-found');
        await lockAccount(tx, caller.centralId, driverId);
        return { name: driver.name, ...(await figures(tx)) };
      },
      async tell(tx, { name, ...before }, entered: number | Reversed) {
        const { entryId, unpaid } =
          typeof entered === 'number' ? { entryId: entered, unpaid: null } : entered;
        if (unpaid)
          await recordChange(tx, actor, {
            subject: 'closing',
            id: unpaid.id,
            name: unpaid.name,
            before: { pago_em: unpaid.paidAt && formatUtc(unpaid.paidAt) },
            after: { pago_em: null },
          });
        return {
          subject: 'driver_account',
          id: driverId,
          name,
          before,
          after: { ...(await figures(tx)), lancamento_id: entryId, tipo: body.tipo },
        };
      },
    });
    const recorded = { ...deps, db };
    const id =
      body.tipo === REVERSAL_CODE
        ? (await reverseEntry(recorded, caller, driverId, reversalOf(body))).entryId
        : await enterByHand(recorded, caller, driverId, parseHandEntry(body));
    const account = await findAccount(deps.db, caller.centralId, driverId);
    return {
      data: {
        id,
        saldo: centsToDecimal(account.balanceCents),
        dinheiro_a_entregar: centsToDecimal(account.cashCents),
      },
    };
  },
});
