import Type from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import { readTracking } from '../../tracking/readTracking.ts';
import { dataAnswer, nullable } from '../../wire/answers.ts';
import { readers } from '../roles.ts';

/** Contract 4.11. */
export const getTrackingLinksEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/links-rastreio',
  operation: 'obterLinksRastreio',
  section: '4.11',
  tag: 'Entregas',
  summary: 'Obter os links de rastreio',
  description:
    'Um link por pedido (parada) da entrega: os que ela leva, também os recebidos por agrupamento, e os feitos com ela, também depois de agrupada em outra. O código de confirmação é gerado na primeira leitura quando a central o exige e não muda depois; sem essa configuração é nulo. Um código enviado com a parada é mantido; como inteiro, "0123" aparece como 123.',
  roles: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        parada_id: Type.String(),
        link_rastreio: Type.String(),
        codigo_confirmacao: nullable(Type.Integer()),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        parada_id: '2077',
        link_rastreio: 'https://malote.example/rastreio/Zk3vXoQ1sT9bYw5uE2hRaA',
        codigo_confirmacao: 4821,
      },
    ],
  },
  async handle({ deps, caller, params, publicUrl }) {
    const stops = await readTracking(deps, caller, params.id!);
    return {
      data: stops.map(({ id, token, code }) => ({
        parada_id: String(id),
        link_rastreio: `${publicUrl}/rastreio/${token}`,
        codigo_confirmacao: code,
      })),
    };
  },
});
