import Type, { type Static } from 'typebox';
import { changeActor, recording } from '../../audit/recordChange.ts';
import type { Caller } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { findCompany } from '../../companies/companyStore.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { centsToDecimal, decimalToCents } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../postgres/database.ts';
import { listAwaitedPix, type PixTopUp } from '../../wallet/pixTopUpStore.ts';
import { AWAITED_PIX_MAX, creditPixTopUp, requestPixTopUp } from '../../wallet/pixTopUps.ts';
import { lockBalance } from '../../wallet/walletStore.ts';
import { dataAnswer, formatUtc } from '../../wire/values.ts';
import { given, instantShown, optionalText } from '../wire/fields.ts';
import { pixOf } from '../wire/pix.ts';

const TAG = 'Operação: empresas';
const CENTS_MAX = 100_000_000;

const PixSchema = Type.Object({
  identificador: Type.String({ description: 'o que a central encontra no extrato do banco' }),
  valor: Type.String(),
  codigo: Type.String({ description: 'código Pix copia e cola' }),
  gerado_em: instantShown,
});

const example = {
  identificador: 'CR1X7KQ2M9PT',
  valor: '150.00',
  codigo: '00020126360014br.gov.bcb.pix0114+5551999990000520400005303986540615…',
  gerado_em: '2026-11-16T15:00:00Z',
};

function format(central: Central, topUp: PixTopUp): Static<typeof PixSchema> {
  const codigo = pixOf(central, topUp.amountCents, topUp.identifier);
  if (codigo === null) throw new Refusal('pix-not-set');
  return {
    identificador: topUp.identifier,
    valor: centsToDecimal(topUp.amountCents),
    codigo,
    gerado_em: formatUtc(topUp.requestedAt),
  };
}

async function companyOf(db: Tx, caller: Caller, id: number): Promise<number> {
  const company = await findCompany(db, caller, id);
  if (!company) throw new Refusal('company-not-found');
  return company.id;
}

const amount = formatted('money', 'em texto, como 150.00');

function parseAmount(text: string): number {
  const cents = decimalToCents(text)!;
  if (cents <= 0 || cents > CENTS_MAX) throw new Refusal('pix-amount');
  return cents;
}

export const pixTopUpEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/empresas/:id/pix',
    tag: TAG,
    summary: 'Gerar um código Pix para adicionar créditos',
    description:
      'O código copia e cola de um Pix estático com o valor e um identificador próprio. Os créditos são adicionados ' +
      'quando a central confirma que o dinheiro chegou. Um gerente gera o da própria empresa. O que não foi pago é ' +
      'esquecido depois de 30 dias.',
    permission: 'pix-codes',
    limit: 'operations',
    refusals: ['company-not-found', 'pix-not-set', 'pix-amount', 'too-many-pix'],
    body: Type.Object({ valor: amount }),
    bodyExample: { valor: '150.00' },
    answer: dataAnswer(PixSchema),
    answerExample: { success: true, data: example },
    async handle({ deps, caller, params, body }) {
      const companyId = await companyOf(deps.db, caller, params.id!);
      const cents = parseAmount(body.valor);
      if (!caller.central.settings.pixKey) throw new Refusal('pix-not-set');
      return { data: format(caller.central, await requestPixTopUp(deps, caller, { companyId, cents })) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/empresas/:id/pix',
    tag: TAG,
    summary: 'Listar os códigos Pix que ainda não foram creditados',
    description: `Do mais novo para o mais antigo, até ${AWAITED_PIX_MAX}.`,
    permission: 'wallet-read',
    limit: 'operations',
    refusals: ['company-not-found'],
    answer: dataAnswer(Type.Array(PixSchema)),
    answerExample: { success: true, data: [example] },
    async handle({ deps: { db }, caller, params }) {
      const companyId = await companyOf(db, caller, params.id!);
      // Without a key no code can be shown, and none can be paid.
      if (!caller.central.settings.pixKey) return { data: [] };
      const awaited = await listAwaitedPix(db, caller.centralId, companyId, AWAITED_PIX_MAX);
      return { data: awaited.map((topUp) => format(caller.central, topUp)) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/empresas/:id/pix/creditar',
    tag: TAG,
    summary: 'Adicionar os créditos de um Pix que chegou',
    description:
      'Adiciona à carteira o valor do código, ou o que de fato chegou. Cada identificador é creditado uma só vez: de ' +
      'novo, 409.',
    permission: 'top-up',
    limit: 'operations',
    refusals: ['company-not-found', 'pix-not-found', 'pix-credited', 'pix-amount'],
    body: Type.Object({
      identificador: Type.String({ minLength: 1, maxLength: 25, pattern: '^[A-Z0-9]+$' }),
      valor: Type.Optional(formatted('money', 'o que chegou; ausente: o valor do código')),
      observacao: optionalText(1000),
    }),
    bodyExample: { identificador: 'CR1X7KQ2M9PT', valor: '150.00' },
    answer: dataAnswer(Type.Object({ registro_id: Type.String() })),
    answerExample: { success: true, data: { registro_id: '87' } },
    async handle({ deps, caller, params, body }) {
      const companyId = await companyOf(deps.db, caller, params.id!);
      const balanceOf = async (tx: Tx) => ({
        saldo: centsToDecimal(await lockBalance(tx, caller.centralId, companyId)),
      });
      const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
        look: balanceOf,
        tell: async (tx, before, entryId: number) => ({
          subject: 'wallet',
          id: companyId,
          name: (await findCompany(tx, caller, companyId))?.name ?? null,
          before,
          after: { ...(await balanceOf(tx)), lancamento_id: entryId },
        }),
      });
      const entryId = await creditPixTopUp({ ...deps, db }, caller, {
        companyId,
        identifier: body.identificador,
        cents: body.valor === undefined ? null : parseAmount(body.valor),
        note: given(body.observacao),
      });
      return { data: { registro_id: String(entryId) } };
    },
  }),
];
