import { route } from '../../http/route.ts';
import { withdrawFromWallet } from '../../wallet/moveCredit.ts';
import { centralUsers } from '../who.ts';
import { creditMoveAnswer, creditMoveBody, readCreditMove } from '../wire/creditMove.ts';

/** Completions: credit leaves a wallet. */
export const withdrawCreditsRoute = route({
  method: 'POST',
  path: '/entregas/empresas/creditos/saques',
  operation: 'sacarCreditos',
  tag: 'Empresas',
  summary: 'Sacar créditos de uma empresa',
  description:
    'Retira um valor da carteira de créditos da empresa identificada, até zerar o saldo. O que está reservado para ' +
    'entregas em aberto não faz parte do saldo. O que programadas ainda vão usar faz: sacado, o disparo delas falha ' +
    'se não houver recarga. Somente usuários da central.',
  who: centralUsers,
  limit: 'estimates',
  refusals: ['not-allowed', 'company-not-found', 'company-ambiguous', 'insufficient-balance', 'rate-limited'],
  body: creditMoveBody,
  bodyExample: {
    valor: 80,
    observacao: 'Devolução ao cliente',
    empresa: { tipo_identificacao: 'J', identificacao: '11.222.333/0001-81' },
  },
  answer: creditMoveAnswer,
  answerExample: { success: true, data: { registro_id: '88' } },
  async handle(request) {
    const { needs, caller } = request;
    const entryId = await withdrawFromWallet(needs, caller, await readCreditMove(request, 'withdrawals'));
    return { data: { registro_id: String(entryId) } };
  },
});
