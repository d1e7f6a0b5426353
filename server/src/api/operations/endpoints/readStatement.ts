import Type from 'typebox';
import { may } from '../../../centrals/permissions.ts';
import { sumAwaitingCredit } from '../../../deliveries/scheduled/scheduledStore.ts';
import { type Entry, findStatement, type Statement } from '../../../money/wallet/walletStore.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Company } from '../../../registers/companies/company.ts';
import { findCompany } from '../../../registers/companies/companyStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { entryKindCode } from '../../json/codes.ts';
import { answerWith, pageFields, parsePage } from '../../json/values.ts';
import { cents, code, flag, id, instant, list, one, text, view } from '../../json/view.ts';

const entry = view<Entry>()({
  id: id((each) => each.id, '8'),
  tipo: code(entryKindCode)((each) => each.kind, entryKindCode.reserve),
  valor: cents((each) => each.amountCents, '-12.34', 'negativo quando sai da carteira'),
  saldo_apos: cents((each) => each.balanceAfterCents, '487.66'),
  entrega_id: id.orNull((each) => each.deliveryId, '1042'),
  observacao: text.orNull((each) => each.note, null),
  usuario_id: id.orNull((each) => each.userId, null),
  data_hora: instant((each) => each.createdAt, '2026-11-16T15:00:00Z'),
});

interface CompanyStatement extends Statement {
  company: Company;
  awaitingCents: number;
  mayTopUp: boolean;
}
const owner = view<Company>()({
  id: id((company) => company.id, '1'),
  nome: text((company) => company.name, 'Padaria Central'),
  cpf_cnpj: text((company) => company.document, '11222333000181'),
});
const statement = view<CompanyStatement>()({
  empresa: one(owner, ({ company }) => company),
  saldo: cents((read) => read.balanceCents, '487.66'),
  saldo_programadas: cents(
    (read) => read.awaitingCents,
    '36.20',
    'quanto do saldo as programadas que aguardam disparo ainda vão usar',
  ),
  pode_recarregar: flag((read) => read.mayTopUp, true, 'se quem lê pode recarregar esta carteira'),
  lancamentos: list(entry, ({ entries }) => entries),
});

export const readStatementEndpoint = endpoint({
  method: 'GET',
  path: '/empresas/:id/extrato',
  tag: 'Operação: empresas',
  summary: 'Ler o extrato da carteira de uma empresa',
  description:
    'Lançamentos do mais novo para o mais antigo, e o saldo de agora. O saldo após cada um é o do anterior mais o ' +
    'valor. Um gerente lê o da própria empresa.',
  permission: 'wallet-read',
  limit: 'operations',
  refusals: ['company-not-found'],
  query: Type.Object(pageFields),
  ...answerWith(statement),
  async handle({ deps: { db }, caller, params, query }) {
    const company = await findCompany(db, caller, params.id!);
    if (!company) throw new Refusal('company-not-found');
    const [centralId, id] = [caller.centralId, company.id];
    const awaitingCents = await sumAwaitingCredit(db, centralId, id);
    const read = await findStatement(db, centralId, id, parsePage(query));
    const mayTopUp = may(caller, 'top-up');
    return { data: statement.show({ ...read, company, awaitingCents, mayTopUp }, undefined) };
  },
});
