import type { Check } from '../check.ts';
import { expect } from '../deviation.ts';
import { basic, expectRefusal, type Request } from '../http.ts';
import { operations, requestOf, UNKNOWN_ID } from '../operations.ts';

const unknownCaller = { status: 401, code: 0 };

/** Contract 5: every operation requires the central and the login. */
const identification: Check[] = operations.flatMap((operation) => {
  const name = `${operation.method} ${operation.path}`;
  const refused = (title: string, headers: Request['headers']): Check => ({
    section: '5',
    title: `${name} ${title} is refused with 401`,
    async run(world) {
      expectRefusal(await world.send({ ...requestOf(operation, world), headers }), unknownCaller);
    },
  });
  return [
    refused('without api-key', { 'api-key': undefined }),
    refused('with an unknown api-key', { 'api-key': 'no-central-has-this-key' }),
    refused('without Authorization', { authorization: undefined }),
  ];
});

const status: Request = { method: 'GET', path: `/entregas/${UNKNOWN_ID}/status` };

const logins: Check[] = [
  {
    section: '5',
    title: 'a wrong password and an unknown user get the same 401',
    async run({ send, given }) {
      const wrong = await send({
        ...status,
        headers: { authorization: basic(given.login.user, `${given.login.password} wrong`) },
      });
      expectRefusal(wrong, unknownCaller);
      const unknown = await send({
        ...status,
        headers: { authorization: basic('nobody has this name', given.login.password) },
      });
      expectRefusal(unknown, unknownCaller);
      expect(wrong.text === unknown.text, 'the two answers differ, so they tell which users exist');
    },
  },
  {
    section: '5',
    title: 'malformed credentials are refused with 401',
    async run({ send }) {
      expectRefusal(await send({ ...status, headers: { authorization: 'Basic !!!' } }), unknownCaller);
    },
  },
  {
    section: '4.3',
    title: 'the edit of a scheduled delivery with wrong credentials has code 0 and a message',
    async run(world) {
      const request = { method: 'PUT', path: `/entregas/programadas/${UNKNOWN_ID}`, body: world.editBody() };
      const headers = { authorization: basic('nobody has this name', 'wrong') };
      expectRefusal(await world.send({ ...request, headers }), unknownCaller);
    },
  },
];

/** What a login may not see is the same 404 as what does not exist. */
const scopes: Check[] = [
  ...(
    [
      ['4.16', 'GET', '/entregas/{id}/status'],
      ['4.10', 'GET', '/entregas/{id}/recibo'],
      ['4.11', 'GET', '/entregas/{id}/links-rastreio'],
      ['4.8', 'POST', '/entregas/{id}/cancelar'],
    ] as const
  ).map(
    ([section, method, path]): Check => ({
      section,
      title: `${method} ${path}: the delivery of another is the same 404 to a manager as one that does not exist`,
      async run(world) {
        const asManager = world.asManager();
        const id = await world.shared('delivery of a person', () => world.delivery());
        const body = method === 'POST' ? { body: { motivo_id: 6 } } : {};
        const foreign = await asManager({ method, path: path.replace('{id}', id), ...body });
        expectRefusal(foreign, { status: 404, code: 0 });
        const missing = await asManager({ method, path: path.replace('{id}', String(UNKNOWN_ID)), ...body });
        expect(foreign.text === missing.text, 'the answers differ, so they tell what exists');
      },
    }),
  ),
  {
    section: '5',
    title: 'the scheduled delivery of a company is edited by its manager only: a central user gets 403',
    async run(world) {
      const id = await world.scheduled({}, 1, world.asManager());
      const answer = await world.send({
        method: 'PUT',
        path: `/entregas/programadas/${id}`,
        body: world.editBody(),
      });
      expectRefusal(answer, { status: 403, code: 0 });
    },
  },
];

export const accessChecks: readonly Check[] = [...identification, ...logins, ...scopes];
