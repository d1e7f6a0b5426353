import type { Check } from '../check.ts';
import { expect } from '../deviation.ts';
import { dataOf, expectRefusal, expectSuccess, type Json } from '../http.ts';
import { UNKNOWN_ID } from '../operations.ts';

const status = `/entregas/${UNKNOWN_ID}/status`;
const KIBIBYTE = 1024;

export const envelopeChecks: readonly Check[] = [
  {
    section: '7.1',
    title: 'an unknown route is a 404 in the envelope',
    async run({ send }) {
      expectRefusal(await send({ method: 'GET', path: '/no-such-route' }), { status: 404, code: 0 });
    },
  },
  {
    section: '7.1',
    title: 'a wrong method is a 405 with Allow',
    async run({ send }) {
      const answer = await send({ method: 'DELETE', path: status });
      expectRefusal(answer, { status: 405, code: 0 });
      const allow = answer.headers.get('allow') ?? '';
      expect(/\bGET\b/.test(allow), `Allow is "${allow}"`);
    },
  },
  {
    section: '7.1',
    title: 'malformed JSON is a 400, code 2',
    async run({ send }) {
      const answer = await send({ method: 'POST', path: '/entregas/consultar', body: '{"pagina": 1' });
      expectRefusal(answer, { status: 400, code: 2 });
    },
  },
  {
    section: '7.1',
    title: 'a body that is no object is a 400, code 2',
    async run({ send }) {
      const answer = await send({ method: 'POST', path: '/entregas/consultar', body: '[1]' });
      expectRefusal(answer, { status: 400, code: 2 });
    },
  },
  {
    section: '7.1',
    title: 'a body of 200 KiB is a 413',
    async run({ send }) {
      const body = JSON.stringify({ observacao: 'x'.repeat(200 * KIBIBYTE) });
      expectRefusal(await send({ method: 'POST', path: '/entregas/consultar', body }), {
        status: 413,
        code: 0,
      });
    },
  },
  {
    section: '7.1',
    title: 'an encoding that is not understood is a 415',
    async run({ send }) {
      const answer = await send({
        method: 'POST',
        path: '/entregas/consultar',
        body: '{}',
        headers: { 'content-encoding': 'compress' },
      });
      expectRefusal(answer, { status: 415, code: 0 });
    },
  },
  {
    section: '7.1',
    title: 'all problems of a body come in one answer, one for each field',
    async run({ send }) {
      const body = { pagina: 0, limite: 0, status_solicitacao: 'Z' };
      const answer = await send({ method: 'POST', path: '/entregas/consultar', body });
      expectRefusal(answer, { status: 400, code: 2 });
      const { length } = answer.body.errors as Json[];
      expect(length === 3, `three wrong fields gave ${length} errors`);
    },
  },
  {
    section: '7.1',
    title: 'failures and successes are JSON',
    async run({ send }) {
      for (const path of ['/entregas/bandeiras/areas-atuacao', status, '/no-such-route']) {
        const type = (await send({ method: 'GET', path })).headers.get('content-type') ?? '';
        expect(/^application\/json\b/.test(type), `${path} is answered as "${type}"`);
      }
    },
  },
  {
    section: '7.1',
    title: 'messages are in English with Accept-Language: en, and in Portuguese without',
    async run({ send }) {
      const portuguese = await send({ method: 'GET', path: status });
      const english = await send({ method: 'GET', path: status, headers: { 'accept-language': 'en' } });
      expectRefusal(english, { status: 404, code: 0 });
      expect(
        portuguese.body.errors[0].message !== english.body.errors[0].message,
        `both are "${english.body.errors[0].message}"`,
      );
    },
  },
  {
    section: '7.1',
    title: 'fields that an operation does not know are ignored',
    async run({ send }) {
      expectSuccess(await send({ method: 'POST', path: '/entregas/consultar', body: { no_such_field: 1 } }));
    },
  },
  {
    section: '7.1',
    title: 'null in an optional field means that it was left out',
    async run({ send }) {
      const body = { status_solicitacao: null, condutor_id: null, pagina: null };
      expectSuccess(await send({ method: 'POST', path: '/entregas/consultar', body }));
    },
  },
  {
    section: '7.1',
    title: 'a trailing slash is the same path',
    async run({ send }) {
      expectSuccess(await send({ method: 'GET', path: '/entregas/bandeiras/areas-atuacao/' }));
    },
  },
  {
    section: '4.3',
    title: 'an Idempotency-Key replays the stored answer, and refuses other content with 409',
    async run(world) {
      const headers = { 'idempotency-key': `${world.mark} key` };
      const body = world.orderBody();
      const request = { method: 'POST', path: '/entregas', body, headers };
      const first = String(dataOf(await world.send(request)).id_mch);
      world.created.deliveries.push(first);
      const again = await world.send(request);
      const second = String(dataOf(again).id_mch);
      if (second !== first) world.created.deliveries.push(second);
      expect(second === first, `the first request made ${first}, its repetition ${second}`);
      const replayed = again.headers.get('idempotency-replayed');
      expect(replayed === 'true', `Idempotency-Replayed is ${replayed}`);
      const other = await world.send({ ...request, body: { ...body, observacao: 'other' } });
      expectRefusal(other, { status: 409, code: 0 });
    },
  },
];
