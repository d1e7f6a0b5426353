import Type from 'typebox';
import { findSendings } from '../../events/sendingLogStore.ts';
import { findWebhook } from '../../events/webhookStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { pageFields, parsePage } from '../wire/page.ts';
import { formatSending, SendingSchema } from '../wire/webhook.ts';

export const listSendingsRoute = route({
  method: 'GET',
  path: '/webhooks/:id/envios',
  operation: 'listarEnvios',
  tag: 'Webhooks',
  summary: 'Listar os envios de um webhook',
  description: 'Do evento mais novo para o mais antigo, com o resultado da última tentativa de cada envio.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  query: Type.Object(pageFields),
  answer: dataAnswer(Type.Array(SendingSchema)),
  answerExample: {
    success: true,
    data: [
      {
        id: '812',
        evento_id: '5f0c1d0e-6a5b-4c7e-9a55-0d8a3f1f2b11',
        tipo: 'entrega.status',
        entrega_id: '123',
        programada_id: null,
        sequencia: 4,
        ocorrido_em: '2026-11-16T15:00:00Z',
        estado: 'esperando',
        tentativas: 1,
        ultima_tentativa: '2026-11-16T15:00:00Z',
        proxima_tentativa: '2026-11-16T15:00:05Z',
        status_http: 500,
        duracao_ms: 38,
        resposta: 'erro interno',
        erro: null,
        entregue_em: null,
        reenviado_em: null,
      },
    ],
  },
  async handle({ needs, caller, params, query }) {
    const webhook = await findWebhook(needs.db, caller, params.id!);
    const sendings = await findSendings(needs.db, caller.centralId, webhook.id, parsePage(query));
    return { data: sendings.map(formatSending) };
  },
});
