import Type from 'typebox';
import { findCompanyBy } from '../../companies/companyStore.ts';
import { route } from '../../http/route.ts';
import { centsToNumber } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { findBalance } from '../../wallet/walletStore.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import {
  checkIdentification,
  identificationFields,
  parseIdentification,
} from '../wire/companyIdentification.ts';

/** Contract 4.14. */
export const getBalanceRoute = route({
  method: 'GET',
  path: '/entregas/empresas/creditos/saldo',
  operation: 'obterSaldo',
  section: '4.14',
  tag: 'Empresas',
  summary: 'Consultar o saldo de créditos de uma empresa',
  description: 'O que está reservado para entregas em aberto já não faz parte do saldo.',
  who: readers,
  limit: 'estimates',
  refusals: ['company-not-found', 'company-ambiguous', 'rate-limited'],
  queryExample: { tipo_identificacao: 'J', identificacao: '11222333000181' },
  query: Type.Object(identificationFields, { check: checkIdentification }),
  answer: dataAnswer(Type.Object({ saldo: Type.Number() })),
  answerExample: { success: true, data: { saldo: 500 } },
  async handle({ needs, caller, query, admit }) {
    const company = await findCompanyBy(needs.db, caller, parseIdentification(query));
    if (!company) throw new Refusal('company-not-found');
    admit('balances', company.id);
    const cents = await findBalance(needs.db, caller.centralId, company.id);
    return { data: { saldo: centsToNumber(cents) } };
  },
});
