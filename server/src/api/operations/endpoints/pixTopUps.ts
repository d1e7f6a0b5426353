import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import type { Central } from '../../../centrals/central.ts';
import { changeActor, recording } from '../../../events/audit/recordChange.ts';
import { brCodeOf } from '../../../money/billing/brCode.ts';
import { listAwaitedPix, type PixTopUp } from '../../../money/wallet/pixTopUpStore.ts';
import { AWAITED_PIX_MAX, creditPixTopUp, requestPixTopUp } from '../../../money/wallet/topUpByPix.ts';
import { lockBalance } from '../../../money/wallet/walletStore.ts';
import { centsToDecimal, decimalToCents, ENTRY_CENTS_MAX } from '../../../platform/kernel/money.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { findCompany } from '../../../registers/companies/companyStore.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { answerWith, answerWithList, dataAnswer } from '../../json/values.ts';
import { cents, instant, text, view } from '../../json/view.ts';
import { given, optionalText } from '../wire/fields.ts';

const TAG = 'Operação: empresas';

const pix = view<PixTopUp, { central: Central }>()({
  identificador: text(
    (topUp) => topUp.identifier,
    'CR1X7KQ2M9PT',
    'o que a central encontra no extrato do banco',
  ),
  valor: cents((topUp) => topUp.amountCents, '150.00'),
  codigo: text(
    ({ amountCents, identifier }, { central }) => {
      const code = brCodeOf(central, amountCents, identifier);
      if (code === null) throw new Refusal('pix-not-set');
      return code;
    },
    '00020126360014br.gov.bcb.pix0114+5551999990000520400005303986540615…',
    'código Pix copia e cola',
  ),
  gerado_em: instant((topUp) => topUp.requestedAt, '2026-11-16T15:00:00Z'),
});

async function companyOf(db: Tx, caller: Caller, id: number): Promise<number> {
  const company = await findCompany(db, caller, id);
  if (!company) throw new Refusal('company-not-found');
  return company.id;
}

const amount = formatted('money', 'em texto, como 150.00');

function parseAmount(text: string): number {
  const cents = decimalToCents(text)!;
  if (cents <= 0 || cents > ENTRY_CENTS_MAX) throw new Refusal('pix-amount');
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
    ...answerWith(pix),
    async handle({ deps, caller, params, body }) {
      const companyId = await companyOf(deps.db, caller, params.id!);
      const cents = parseAmount(body.valor);
      if (!caller.central.settings.pixKey) throw new Refusal('pix-not-set');
      return { data: pix.show(await requestPixTopUp(deps, caller, { companyId, cents }), caller) };
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
    ...answerWithList(pix),
    async handle({ deps: { db }, caller, params }) {
      const companyId = await companyOf(db, caller, params.id!);
      // Without a key no code can be shown, and none can be paid.
      if (!caller.central.settings.pixKey) return { data: [] };
      const awaited = await listAwaitedPix(db, caller.centralId, companyId, AWAITED_PIX_MAX);
      return { data: awaited.map((topUp) => pix.show(topUp, caller)) };
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
        readBefore: balanceOf,
        describe: async (tx, before, entryId: number) => ({
          subject: 'wallet',
          id: companyId,
          name: (await findCompany(tx, caller, companyId))?.name ?? null,
          before,
          after: { ...(await balanceOf(tx)), lancamento_id: String(entryId) },
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
