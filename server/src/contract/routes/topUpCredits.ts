import Type from 'typebox';
import { findCompanyBy } from '../../companies/companyStore.ts';
import { route } from '../../http/route.ts';
import { numberToCents } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { topUpWallet } from '../../wallet/topUpWallet.ts';
import { readers } from '../who.ts';
import { checkDecimals } from '../wire/amounts.ts';
import { dataAnswer, nullable } from '../wire/answers.ts';
import {
  checkIdentification,
  identificationFields,
  parseIdentification,
} from '../wire/companyIdentification.ts';

const TOP_UP_MAX = 1_000_000;

/** Contract 4.5. */
export const topUpCreditsRoute = route({
  method: 'POST',
  path: '/entregas/empresas/creditos/recargas',
  operation: 'recarregarCreditos',
  section: '4.5',
  tag: 'Empresas',
  summary: 'Recarregar créditos de uma empresa',
  description: 'Soma um valor à carteira de créditos da empresa identificada.',
  who: readers,
  limit: 'estimates',
  refusals: ['company-not-found', 'rate-limited'],
  body: Type.Object(
    {
      valor: Type.Number({ exclusiveMinimum: 0, maximum: TOP_UP_MAX }),
      observacao: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
      empresa: Type.Object(identificationFields, { check: checkIdentification }),
    },
    { check: checkDecimals('valor') },
  ),
  bodyExample: {
    valor: 150.5,
    observacao: 'Recarga de novembro',
    empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
  },
  answer: dataAnswer(Type.Object({ registro_id: Type.String() })),
  answerExample: { success: true, data: { registro_id: '87' } },
  async handle({ needs, caller, body, admit }) {
    const company = await findCompanyBy(needs.db, caller, parseIdentification(body.empresa));
    if (!company) throw new Refusal('company-not-found');
    admit('topUps', company.id);
    const entryId = await topUpWallet(needs, caller, {
      companyId: company.id,
      cents: numberToCents(body.valor)!,
      note: body.observacao || null,
    });
    return { data: { registro_id: String(entryId) } };
  },
});
