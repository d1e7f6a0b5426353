import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { integrationApi } from '../integration/endpoints.ts';
import { operationApi } from '../operations/endpoints.ts';
import { type Endpoint, type EndpointRequest, type EndpointText, endpoint } from './endpoint.ts';

const failing = (text: Partial<EndpointText>): Endpoint =>
  endpoint({
    method: 'GET',
    path: '/entregas/:id',
    tag: 'Entregas',
    summary: 'Ler uma entrega',
    permission: 'watch',
    limit: 'deliveries',
    answer: Type.Object({}),
    answerExample: {},
    ...text,
    async handle() {
      return { data: await fail() };
    },
  });

async function fail(): Promise<never> {
  await Promise.resolve();
  throw new Error('a defect');
}

const traceOf = async ({ handle }: Endpoint): Promise<string> => {
  const error = await handle({} as EndpointRequest<unknown, unknown>).catch((error: Error) => error);
  return (error as Error).stack!;
};

test('a stack trace names the operation whose handler failed', async () => {
  assert.match(await traceOf(failing({ operation: 'obterEntrega' })), /at async (?:Object\.)?obterEntrega /);
});

test('a stack trace names method and path of an endpoint without an operation of its own', async () => {
  assert.match(await traceOf(failing({})), /at async (?:Object\.)?GET \/entregas\/:id /);
});

test('each handler of an interface has a name of its own', () => {
  for (const { endpoints } of [integrationApi, operationApi])
    assert.deepEqual(new Set(endpoints.map(({ handle }) => handle.name)).size, endpoints.length);
});
