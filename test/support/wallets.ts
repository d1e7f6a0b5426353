import type { Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk } from './steps.ts';

const cents = (amount: string | number): number => Math.round(Number(amount) * 100);

const statement = async ({ operator }: TestMalote, companyId: number): Promise<Json> =>
  assertOk(await operator.get(`/empresas/${companyId}/extrato?limite=100`)).body.data;

/** What the wallet of a company of central 1 holds, in cents. */
export const balanceCents = async (malote: TestMalote, companyId = 1): Promise<number> =>
  cents((await statement(malote, companyId)).saldo);

const identifiers: Record<number, string> = { 1: 'padaria-moinhos', 2: 'farmacia-guaiba' };

/** Brings the balance of a company of the demonstration to an amount, by a top-up or a withdrawal. */
export async function setBalance(malote: TestMalote, balance: number, companyId = 1): Promise<void> {
  const difference = balance - (await balanceCents(malote, companyId));
  if (difference === 0) return;
  const way = difference > 0 ? 'recargas' : 'saques';
  assertOk(
    await malote.central.post(`/entregas/empresas/creditos/${way}`, {
      valor: Math.abs(difference) / 100,
      empresa: { tipo_identificacao: 'I', identificacao: identifiers[companyId] },
    }),
  );
}

/** The kind and the amount in cents of each entry that a delivery caused, the oldest first. */
export async function entriesOf(
  { db }: TestMalote,
  deliveryId: number,
): Promise<[kind: string, cents: number][]> {
  // The statement does not tell a reserve from a settlement by the kinds of the ledger.
  const rows = await db<{ kind: string; amount_cents: number }>`
    select kind, amount_cents from wallet_entries where central_id = 1 and delivery_id = ${deliveryId} order by id`;
  return rows.map(({ kind, amount_cents }) => [kind, amount_cents]);
}
