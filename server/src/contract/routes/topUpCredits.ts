import { route } from '../../http/route.ts';
import { topUpWallet } from '../../wallet/moveCredit.ts';
import { mayTopUp, readers } from '../who.ts';
import { creditMoveAnswer, creditMoveBody, readCreditMove } from '../wire/creditMove.ts';

/** Contract 4.5. */
export const topUpCreditsRoute = route({
  method: 'POST',
  path: '/entregas/empresas/creditos/recargas',
  operation: 'recarregarCreditos',
  section: '4.5',
  tag: 'Empresas',
  summary: 'Recarregar créditos de uma empresa',
  description:
    'Soma um valor à carteira de créditos da empresa identificada. Para usuários da central; o gerente de uma ' +
    'empresa recarrega a própria somente se a central o permite (`permite_gerente_recarregar`).',
  who: readers,
  isAllowed: mayTopUp,
  limit: 'estimates',
  refusals: ['not-allowed', 'company-not-found', 'company-ambiguous', 'rate-limited'],
  body: creditMoveBody,
  bodyExample: {
    valor: 150.5,
    observacao: 'Recarga de novembro',
    empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
  },
  answer: creditMoveAnswer,
  answerExample: { success: true, data: { registro_id: '87' } },
  async handle(request) {
    const { needs, caller } = request;
    const entryId = await topUpWallet(needs, caller, await readCreditMove(request, 'topUps'));
    return { data: { registro_id: String(entryId) } };
  },
});
