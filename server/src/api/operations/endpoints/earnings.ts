import Type, { type Static } from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { changeActor, recordChange, recording } from '../../../events/audit/recordChange.ts';
import { type Reversed, reverseEntry } from '../../../money/billing/reverseEntry.ts';
import {
  type Account,
  type DriverEntry,
  type Earned,
  type Earnings,
  findAccount,
  findDriverEntries,
  findEarnings,
  localDay,
  lockAccount,
} from '../../../money/earnings/earningStore.ts';
import { enterByHand, type HandEntry } from '../../../money/earnings/enterByHand.ts';
import { decimalToCents } from '../../../platform/kernel/money.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { findDriver } from '../../../registers/drivers/driverStore.ts';
import { actingDriver } from '../../../registers/drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import { driverEntryCode, REVERSAL_CODE } from '../../json/codes.ts';
import { answerWith, dataAnswer, formatUtc } from '../../json/values.ts';
import { cents, code, id, instant, integer, list, one, text, view } from '../../json/view.ts';
import { checkEntryAmount, optionalId, requiredText, sentIdOrNull } from '../wire/fields.ts';

const TAG = 'Operação: ganhos dos entregadores';
const ENTRIES_MAX = 100;
const ENTRIES_USUAL = 50;

const date = formatted('iso-date', 'AAAA-MM-DD no fuso da central, incluído');
const BALANCE = 'o que a central deve ao entregador; negativo: o que ele deve';

const entry = view<DriverEntry>()({
  id: id((each) => each.id, '214'),
  numero: integer((each) => each.number, 31, 'o lugar no extrato: 1, 2, 3 …'),
  tipo: code({ ...driverEntryCode, reversal: REVERSAL_CODE })(
    (each) => (each.reversesId === null ? each.kind : 'reversal'),
    driverEntryCode.share,
  ),
  valor: cents(
    (each) => each.amountCents,
    '9.80',
    'negativo quando diminui o que a central deve ao entregador',
  ),
  saldo_apos: cents((each) => each.balanceAfterCents, '187.40'),
  dinheiro_apos: cents((each) => each.cashAfterCents, '42.90', 'dinheiro a entregar depois do lançamento'),
  dia: text((each) => each.day, '2026-11-16', 'AAAA-MM-DD no fuso da central'),
  entrega_id: id.orNull((each) => each.deliveryId, '1042'),
  estorna_id: id.orNull((each) => each.reversesId, null),
  motivo: text.orNull((each) => each.note, null),
  usuario_id: id.orNull((each) => each.userId, null),
  data_hora: instant((each) => each.createdAt, '2026-11-16T15:00:00Z'),
});

const accountFields = {
  saldo: cents((account: Account) => account.balanceCents, '187.40', BALANCE),
  dinheiro_a_entregar: cents((account: Account) => account.cashCents, '42.90'),
};
const statement = view<Account & { entries: DriverEntry[]; next: number | null }>()({
  ...accountFields,
  lancamentos: list(entry, ({ entries }) => entries),
  proximo: integer.orNull(({ next }) => next, null),
});
const account = view<Account>()(accountFields);

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
  ...answerWith(statement),
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
    const next = found.length > limite ? entries.at(-1)!.number : null;
    return { data: statement.show({ ...account, entries, next }, undefined) };
  },
});

const earned = view<Earned>()({
  entregas: integer((sums) => sums.deliveries, 7, 'finalizadas'),
  valor: cents((sums) => sums.earnedCents, '68.60', 'repasses e ajustes'),
  dinheiro_recebido: cents((sums) => sums.collectedCents, '42.90'),
});

export const earningsShown = view<Earnings>()({
  hoje: one(earned, (earnings) => earnings.today),
  semana: one(earned, (earnings) => earnings.week, {
    description: 'desde segunda-feira',
    example: { entregas: 31, valor: '301.20', dinheiro_recebido: '212.40' },
  }),
  ...accountFields,
});

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
  ...answerWith(earningsShown),
  async handle({ deps: { db, clock }, caller, params }) {
    const driverId = params.id!;
    await assertDriver(db, caller, driverId);
    const today = localDay(clock.now(), caller.central.timeZone);
    const earnings = await findEarnings(db, caller.centralId, driverId, today);
    return { data: earningsShown.show(earnings, undefined) };
  },
});

const handKinds = { adjustment: 'ajuste', payment: 'pagamento', handed_in: 'dinheiro_entregue' } as const;

const HandEntryBody = Type.Object(
  {
    tipo: Type.Enum([...Object.values(handKinds), REVERSAL_CODE]),
    valor: Type.Optional(
      formatted(
        'signed-money',
        'decimal até 1000000.00; negativo somente em um ajuste; ausente em um estorno',
      ),
    ),
    lancamento_id: Type.Optional(sentIdOrNull('o que é estornado')),
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
    : checkEntryAmount('valor', cents);
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
    'O motivo fica no extrato. Nada se apaga: um engano se corrige com um estorno. O estorno de dinheiro recebido também o retira da conta da empresa. O estorno do pagamento de um fechamento deixa o fechamento a pagar de novo.',
  ].join('\n\n'),
  permission: 'driver-entries',
  limit: 'operations',
  refusals: ['driver-not-found', 'delivery-not-found', 'entry-not-found', 'entry-reversed', 'cash-not-held'],
  body: HandEntryBody,
  bodyExample: { tipo: handKinds.payment, valor: '187.40', motivo: 'Semana de 9 a 15 de novembro, por Pix' },
  answer: dataAnswer(Type.Object({ id: id.schema, ...account.schema.properties })),
  answerExample: { success: true, data: { id: '215', saldo: '0.00', dinheiro_a_entregar: '0.00' } },
  async handle({ deps, caller, params, body }) {
    const driverId = params.id!;
    const figures = async (tx: Tx) =>
      account.show(await findAccount(tx, caller.centralId, driverId), undefined);
    const actor = changeActor(caller, deps.clock.now(), 'operations');
    // The reason is stored in the account only, where erasure and retention find it.
    const db = recording(deps.db, actor, {
      async readBefore(tx) {
        const driver = await findDriver(tx, caller.centralId, driverId);
        if (!driver) throw new Refusal('driver-not-found');
        await lockAccount(tx, caller.centralId, driverId);
        return { name: driver.name, ...(await figures(tx)) };
      },
      async describe(tx, { name, ...before }, entered: number | Reversed) {
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
          after: { ...(await figures(tx)), lancamento_id: String(entryId), tipo: body.tipo },
        };
      },
    });
    const recorded = { ...deps, db };
    const entryId =
      body.tipo === REVERSAL_CODE
        ? (await reverseEntry(recorded, caller, driverId, reversalOf(body))).entryId
        : await enterByHand(recorded, caller, driverId, parseHandEntry(body));
    return { data: { id: String(entryId), ...(await figures(deps.db)) } };
  },
});
