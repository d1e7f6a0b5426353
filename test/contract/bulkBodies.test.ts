import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { manager } = malote;

/** Both endpoints keep the same rules. */
const KINDS = [
  { name: 'immediate', path: '/entregas', body: order },
  { name: 'scheduled', path: '/entregas/programadas', body: scheduledOrder },
] as const;

for (const { name, path, body } of KINDS) {
  const send = (
    entregas: unknown[],
    more: Record<string, unknown> = {},
    login: Client = manager,
    headers: Record<string, string> = {},
  ): Promise<Answer> => login.post(`${path}/lote`, { entregas, ...more }, headers);

  test(`${name}: what is wrong with the whole body refuses all of it`, async () => {
    const raw = (text: string | Buffer, headers: Record<string, string> = {}) =>
      manager.send(`${path}/lote`, {
        method: 'POST',
        body: text as string,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const item = JSON.stringify(body());
    const cases: [text: string, message: RegExp][] = [
      ['', /^'entregas': é obrigatório$/],
      ['{}', /^'entregas': é obrigatório$/],
      ['{"entregas":[]}', /^'entregas': deve ter ao menos 1 item$/],
      ['{"entregas":[ \n ]}', /^'entregas': deve ter ao menos 1 item$/],
      ['{"entregas":{}}', /^'entregas': deve ser lista$/],
      ['{"entregas":null}', /^'entregas': deve ser lista$/],
      ['[]', /^'corpo': deve ser objeto$/],
      [`{"entregas":[${item}],"tudo_ou_nada":"sim"}`, /^'tudo_ou_nada': deve ser booleano$/],
      [`{"entregas":[${Array(501).fill('{}').join(',')}]}`, /^'entregas': deve ter no máximo 500 itens$/],
      [`{"entregas":[${item},]}`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[${item} ${item}]}`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[${item}}`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[${item}]`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[${item}}}`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[${item}]}x`, /^'corpo': não é um JSON válido$/],
      [`{"entregas":[{"a":}]}`, /^'corpo': não é um JSON válido$/],
    ];
    for (const [text, message] of cases) {
      const answer = await raw(text);
      assert.equal(answer.status, 400, text.slice(0, 80));
      assert.equal(answer.body.errors.length, 1, answer.text);
      assert.match(answer.body.errors[0].message, message);
    }
    const plain = await raw(item, { 'content-type': 'text/plain' });
    assert.equal(plain.status, 400);
    assert.match(plain.body.errors[0].message, /application\/json/);
    assertRefused(await raw(Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413, /4 MiB/);
  });

  test(`${name}: an item is read like the body of a single creation`, async () => {
    const wrong = [
      null,
      7,
      'x',
      [],
      {},
      body({ partida: { lat: 1 } }),
      { ...body(), observacao: `a${'x'.repeat(70_000)}` },
      { ...body(), paradas: Array(11).fill(body().paradas[0]) },
      { ...body(), observacao: '\u0000' },
    ];
    const { body: answer } = assertOk(await send(wrong));
    for (const [index, item] of wrong.entries()) {
      const single = await manager.send(path, {
        method: 'POST',
        body: JSON.stringify(item),
        headers: { 'content-type': 'application/json' },
      });
      const { status, kind, errors } = answer.data[index];
      assert.equal(status, single.status, single.text);
      assert.equal(kind, single.headers.get('x-error-kind'));
      assert.deepEqual(errors, single.body.errors.slice(0, 20));
    }
    const nulls = { ...body(), observacao: null, empresa_id: null, cotacao_id: null };
    assert.equal(assertOk(await send([nulls])).body.recusados, 0);
  });

  test(`${name}: unknown fields are named with their item, and refuse it where that is asked for`, async () => {
    const items = [body(), body({ observacoes: 'x' })];
    const ignored = assertOk(await send(items, { tudo_ou_nad: true }));
    assert.equal(
      ignored.headers.get('x-ignored-fields'),
      'tudo_ou_nad (tudo_ou_nada?), entregas[1].observacoes (observacao?)',
    );
    const strict = { prefer: 'handling=strict' };
    const answer = assertOk(await send(items, {}, manager, strict));
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
    assert.deepEqual([answer.body.data[0].success, answer.body.data[1].status], [true, 400]);
    assert.match(answer.body.data[1].errors[0].message, /^'observacoes': não é um campo conhecido/);
    const refused = await send(items, { tudo_ou_nad: true }, manager, strict);
    assert.equal(refused.status, 400);
    assert.match(refused.body.errors[0].message, /^'tudo_ou_nad': não é um campo/);
  });

  test(`${name}: English where it is preferred`, async () => {
    const english = { 'accept-language': 'en' };
    const { body: answer } = assertOk(await send([body({ empresa_id: 2 })], {}, manager, english));
    assert.equal(answer.data[0].errors[0].message, 'company not found');
    const refused = await send([body({ empresa_id: 2 })], { tudo_ou_nada: true }, manager, english);
    assert.match(refused.body.errors[0].message, /^nothing was stored/);
    assert.equal(refused.body.errors[1].message, "'entregas[0]': company not found");
  });
}
