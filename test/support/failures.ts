import type { Answer, Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { assertOk, type TestDelivery } from './steps.ts';

type Carried = Pick<TestDelivery, 'id' | 'stopIds'>;

/** The steps of a test with failed stops. A stop is named by its index in the delivery. */
export function failing(malote: TestMalote) {
  const { operator } = malote;
  const pathOf = ({ id, stopIds }: Carried, stop: number, verb: string) =>
    `/entregas/${id}/paradas/${stopIds[stop]}/${verb}`;
  return {
    fail: (
      delivery: Carried,
      stop = 0,
      body: Record<string, unknown> = {},
      by: Client = operator,
    ): Promise<Answer> => by.post(pathOf(delivery, stop, 'falhar'), { motivo: 'ausente', ...body }),
    conclude: (delivery: Carried, stop = 0): Promise<Answer> =>
      operator.post(pathOf(delivery, stop, 'concluir'), {}),
    reopen: (delivery: Carried, stop = 0, by: Client = operator): Promise<Answer> =>
      by.post(pathOf(delivery, stop, 'retomar')),
    redeliver: (delivery: Carried, stop = 0, by: Client = operator): Promise<Answer> =>
      by.post(pathOf(delivery, stop, 'nova-entrega')),
    resolve: (
      delivery: Carried,
      stop = 0,
      motivo = 'O cliente retirou na loja',
      by: Client = operator,
    ): Promise<Answer> => by.post(pathOf(delivery, stop, 'resolver'), { motivo }),
    detail: async ({ id }: Pick<TestDelivery, 'id'>): Promise<Json> =>
      assertOk(await operator.get(`/entregas/${id}`)).body.data,
    failures: async (by: Client = operator): Promise<Json[]> => assertOk(await by.get('/falhas')).body.data,
    history: async ({ id }: Pick<TestDelivery, 'id'>): Promise<Json[]> =>
      assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.eventos,
  };
}
