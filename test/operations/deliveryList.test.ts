import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startIndexing } from '../../server/src/insight/search/startIndexing.ts';
import type { Answer, Json } from '../support/client.ts';
import { client } from '../support/client.ts';
import { groupDeliveries, start } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery, type TestDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, manager2, clock } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const managersSide = login('gerente');
const neighboursSide = login('vizinha', 'demo-vizinha');

const list = (body: Json = {}, side = operator): Promise<Answer> => side.post('/entregas/consultar', body);
const idsOf = (answer: Answer): number[] =>
  assertOk(answer).body.data.map(({ id }: { id: string }) => Number(id));
const listed = async (body: Json = {}, side = operator): Promise<number[]> =>
  idsOf(await list({ limite: 100, ...body }, side));

/** Reads page by page until the end. */
async function walk(body: Json, side = operator, between: () => Promise<unknown> = async () => undefined) {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const answer = await list({ ...body, ...(cursor && { cursor }) }, side);
    seen.push(...idsOf(answer));
    cursor = answer.body.proximo ?? undefined;
    await between();
  } while (cursor);
  return seen;
}

const made: Record<string, TestDelivery> = {};
let theirs = 0;

before(async () => {
  for (const status of [
    'awaiting_release',
    'pending',
    'on_hold',
    'accepted',
    'finished',
    'cancelled',
  ] as const) {
    made[status] = await deliveryIn(malote, status);
    clock.advance({ minutes: 1 });
  }
  made.pix = await openDelivery(malote, { forma_pagamento: 'X' });
  const answer = assertOk(await manager2.post('/entregas', order()));
  theirs = Number(answer.body.data.id_mch);
});

describe('filters', () => {
  test('by status, several at once, each with the letter that the board shows', async () => {
    assert.deepEqual(await listed({ status: ['L'] }), [made.awaiting_release!.id]);
    assert.deepEqual(await listed({ status: ['P'] }), [made.pending!.id]);
    assert.deepEqual(await listed({ status: ['S'] }), [made.on_hold!.id]);
    assert.deepEqual(await listed({ status: ['F', 'C', 'L'] }), [
      made.cancelled!.id,
      made.finished!.id,
      made.awaiting_release!.id,
    ]);
    const open = assertOk(await operator.get('/entregas/abertas')).body.data;
    const rows = assertOk(await list({ limite: 100 })).body.data;
    for (const { id, status, atrasada } of open) {
      const row = rows.find((each: { id: string }) => each.id === id);
      assert.deepEqual([row.status, row.atrasada], [status, atrasada], `delivery ${id}`);
    }
    assert.equal(open.length > 4, true);
  });

  test('by company, driver and payment, alone and together', async () => {
    assert.deepEqual(await listed({ empresa_id: 2 }), [theirs]);
    assert.ok(!(await listed({ empresa_id: 1 })).includes(theirs));
    const { id, driverId } = made.finished!;
    assert.deepEqual(await listed({ condutor_id: driverId }), [id]);
    assert.deepEqual(await listed({ tipo_pagamento: 'X' }), [made.pix!.id]);
    assert.deepEqual(await listed({ condutor_id: driverId, empresa_id: 1, status: ['F'] }), [id]);
    assert.deepEqual(await listed({ condutor_id: driverId, empresa_id: 2 }), []);
    assert.deepEqual(await listed({ condutor_id: driverId, status: ['C', 'N'] }), []);
    assert.deepEqual(await listed({ empresa_id: 1, tipo_pagamento: 'X', status: ['D'] }), [made.pix!.id]);
  });

  test('by days on the central’s clock, both included', async () => {
    const all = await listed();
    assert.deepEqual(await listed({ de: '2026-11-16', ate: '2026-11-16' }), all);
    assert.deepEqual(await listed({ ate: '2026-11-15' }), []);
    assert.deepEqual(await listed({ de: '2026-11-17' }), []);
    // Half past eleven in the evening, when it is already the next day in UTC.
    clock.set('2026-11-21T02:30:00Z');
    const { id } = await openDelivery(malote);
    assert.deepEqual(await listed({ de: '2026-11-20', ate: '2026-11-20' }), [id]);
    assert.deepEqual(await listed({ de: '2026-11-21' }), []);
  });

  test('refuses what it does not know, naming the field', async () => {
    for (const [body, field] of [
      [{ status: ['Z'] }, 'status'],
      [{ status: [] }, 'status'],
      [{ ordem: 'preco' }, 'ordem'],
      [{ de: '2026-02-30' }, 'de'],
      [{ de: '2026-11-16', ate: '2026-11-15' }, 'ate'],
      [{ limite: 101 }, 'limite'],
      [{ cursor: 'x'.repeat(12_001) }, 'cursor'],
    ] as const) {
      const answer = await list(body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.errors[0].message, new RegExp(`^'${field}`));
    }
  });
});

describe('a text', () => {
  const errors: unknown[] = [];
  const indexing = startIndexing(malote.app.deps, (error) => errors.push(error));
  after(async () => {
    await indexing.stop();
    assert.deepEqual(errors, []);
  });
  const toRecipient = async (side: typeof malote.manager, name: string, changes: Json = {}) => {
    const paradas = [{ ...stop(2), nome_cliente_parada: name }];
    return Number(assertOk(await side.post('/entregas', order({ paradas, ...changes }))).body.data.id_mch);
  };
  let [first, second, other, similar] = [0, 0, 0, 0];
  before(async () => {
    first = await toRecipient(malote.manager, 'Quitéria Brandão');
    clock.advance({ minutes: 1 });
    second = await toRecipient(malote.manager, 'Quitéria Brandão', { forma_pagamento: 'X' });
    clock.advance({ minutes: 1 });
    other = await toRecipient(manager2, 'Quitéria Brandão');
    similar = await toRecipient(malote.manager, 'Quitério Brandino');
    await waitUntil('all are indexed', async () => (await listed({ texto: 'brandino' })).includes(similar));
    await waitUntil('all are indexed', async () => (await listed({ texto: 'brandao' })).length === 3);
  });

  test('finds by words, in the list’s own order and page by page', async () => {
    assert.deepEqual(await listed({ texto: 'quiteria brandao' }), [other, second, first]);
    assert.deepEqual(await listed({ texto: 'brandao', ordem: 'mais_antigas' }), [first, second, other]);
    assert.deepEqual(await walk({ texto: 'brandao', limite: 1 }), [other, second, first]);
    assert.deepEqual(await listed({ texto: 'nobody is called so' }), []);
    assert.deepEqual(await listed({ texto: '  ' }), await listed());
    const { total } = assertOk(await list({ texto: 'brandao', contar: true })).body;
    assert.deepEqual(total, { numero: 3, exato: true });
  });

  test('forgives typing errors only where nothing fits otherwise', async () => {
    assert.ok(!(await listed({ texto: 'quiteria' })).includes(similar));
    assert.deepEqual(await listed({ texto: 'brandinno' }), [similar]);
  });

  test('goes together with the other filters', async () => {
    assert.deepEqual(await listed({ texto: 'brandao', tipo_pagamento: 'X' }), [second]);
    assert.deepEqual(await listed({ texto: 'brandao', empresa_id: 2 }), [other]);
    assert.deepEqual(await listed({ texto: 'brandao', status: ['F'] }), []);
    assert.deepEqual(await listed({ texto: 'brandao', ate: '2026-11-15' }), []);
  });

  test('a number finds its delivery, for those who may see it', async () => {
    assert.deepEqual(await listed({ texto: `#${other}` }), [other]);
    assert.deepEqual(await listed({ texto: String(other) }, managersSide), []);
    assert.deepEqual(await listed({ texto: 'brandao' }, managersSide), [second, first]);
    assert.deepEqual(await listed({ texto: 'brandao' }, neighboursSide), []);
  });

  test('narrows the file, too', async () => {
    const answer = await operator.post('/entregas/exportar', { texto: 'brandao', tipo_pagamento: 'X' });
    const lines = assertOk(answer).body.data.conteudo.trimEnd().split('\r\n');
    assert.equal(lines.length, 2);
    assert.ok(lines[1].startsWith(`${second};`));
  });

  test('of more than 100 characters is refused', async () => {
    const answer = await list({ texto: 'x'.repeat(101) });
    assert.equal(answer.status, 400);
    assert.match(answer.body.errors[0].message, /^'texto/);
  });
});

describe('order and pages', () => {
  test('the newest first, or the oldest', async () => {
    const newest = await listed();
    assert.deepEqual(await listed({ ordem: 'mais_antigas' }), newest.toReversed());
  });

  test('every delivery once, however small the pages and whatever the order', async () => {
    const all = await listed();
    assert.deepEqual(await walk({ limite: 2 }), all);
    assert.deepEqual(await walk({ limite: 3, ordem: 'mais_antigas' }), all.toReversed());
    assert.deepEqual(
      await walk({ limite: 1, status: ['F', 'C', 'L'] }),
      await listed({ status: ['F', 'C', 'L'] }),
    );
  });

  test('deliveries created while somebody reads shift nothing', async () => {
    const all = await listed();
    const opened: number[] = [];
    const seen = await walk({ limite: 2 }, operator, async () => {
      opened.push((await openDelivery(malote)).id);
    });
    assert.deepEqual(seen, all);
    assert.equal(new Set([...(await listed()), ...opened]).size, all.length + opened.length);
  });

  test('the number of rows is told when it is asked for', async () => {
    assert.equal(assertOk(await list({ limite: 1 })).body.total, null);
    const { total, data } = assertOk(await list({ limite: 1, contar: true })).body;
    assert.equal(data.length, 1);
    assert.deepEqual(total, { numero: (await listed()).length, exato: true });
  });

  test('a cursor of another filter, order, central or scope is refused, and so is one that was changed', async () => {
    const { proximo } = assertOk(await list({ limite: 1 })).body;
    assertOk(await list({ limite: 5, cursor: proximo }));
    const changed = Buffer.from(proximo, 'base64url');
    changed[changed.length - 3] = changed.at(-3)! ^ 1;
    const forged = Buffer.concat([Buffer.alloc(12), Buffer.from('["2026-99-01 00:00:00+00",1,0]')]);
    for (const [body, side] of [
      [{ cursor: proximo, status: ['F'] }, operator],
      [{ cursor: proximo, ordem: 'mais_antigas' }, operator],
      [{ cursor: proximo }, neighboursSide],
      [{ cursor: proximo }, managersSide],
      [{ cursor: changed.toString('base64url') }, operator],
      [{ cursor: forged.toString('base64url') }, operator],
      [{ cursor: '' }, operator],
      [{ cursor: '🙂' }, operator],
    ] as const)
      assertRefused(await list(body, side), 400, /o cursor não é desta consulta/);
  });
});

describe('who sees what', () => {
  test('a manager sees the own company, whatever the filter says', async () => {
    const mine = await listed({}, managersSide);
    assert.ok(mine.includes(made.finished!.id) && !mine.includes(theirs));
    assert.deepEqual(await listed({ empresa_id: 2 }, managersSide), []);
    assert.deepEqual(await listed({ empresa_id: 2, status: ['D'] }, managersSide), []);
    assert.ok(!(await listed({ status: ['D'] }, managersSide)).includes(theirs));
    assert.deepEqual(await walk({ limite: 2 }, managersSide), mine);
    const { total } = assertOk(await list({ contar: true }, managersSide)).body;
    assert.equal(total.numero, mine.length);
  });

  test('the next central sees none of it, and a driver may not ask', async () => {
    assert.deepEqual(await listed({}, neighboursSide), []);
    assert.deepEqual(await listed({ empresa_id: 1 }, neighboursSide), []);
    assertRefused(await list({}, malote.driver(1)), 403, /permissão/);
  });
});

describe('the file', () => {
  const parts = async (body: Json = {}, side = operator) => {
    const contents: string[] = [];
    let last: Json;
    do {
      last = assertOk(
        await side.post('/entregas/exportar', { ...body, ...(last && { cursor: last.proximo }) }),
      ).body.data;
      contents.push(last.conteudo);
    } while (last.proximo);
    return { text: contents.join(''), last };
  };

  test('has a row for each delivery, in the form that spreadsheets in Brazil read', async () => {
    const { text, last } = await parts({ status: ['F'] });
    const [head, row, ...rest] = text.split('\r\n');
    assert.ok(head!.startsWith('\ufeffEntrega;Status;Pedida em;'));
    assert.deepEqual(rest, ['']);
    const cells = row!.split(';');
    assert.equal(cells[0], String(made.finished!.id));
    assert.equal(cells[1], 'Finalizada');
    assert.equal(cells[2], '16/11/2026 12:04');
    assert.equal(cells[12], 'Cliente 1');
    assert.equal(cells[14], 'Dinheiro');
    assert.match(cells[15]!, /^\d+,\d{2}$/);
    assert.equal(last.linhas, 1);
    assert.equal(last.limitado, false);
    assert.match(last.nome, /^entregas-2026-11-\d\d\.csv$/);
  });

  test('keeps texts that a spreadsheet would compute, and quotes what it must', async () => {
    const hostile = ['=HYPERLINK("http://x";"y")', '+1+1', '-2+3+cmd|x', '@SUM(1)', 'a;b', 'duas\nlinhas'];
    const ids = [];
    for (const name of hostile) {
      const stop = { ...order().paradas[0], nome_cliente_parada: name };
      ids.push((await openDelivery(malote, { forma_pagamento: 'H', paradas: [stop] })).id);
    }
    const { text } = await parts({ tipo_pagamento: 'H', ordem: 'mais_antigas' });
    assert.match(text, /;"'=HYPERLINK\(""http:\/\/x"";""y""\)";/);
    for (const safe of [";'+1+1;", ";'-2+3+cmd|x;", ";'@SUM(1);", ';"a;b";', ';"duas\nlinhas";'])
      assert.ok(text.includes(safe), `${safe} in ${text}`);
  });

  test('adds up to what the deliveries of a period cost, also where some were grouped, as the list does', async () => {
    const from = clock.now().add({ hours: 72 });
    clock.set(from.toString());
    const [carrier, grouped] = [await start(malote), await start(malote)];
    assertOk(await groupDeliveries(malote, carrier, [grouped]));
    const { valor_corrida } = assertOk(await malote.central.get(`/entregas/${carrier}`)).body.data;
    const de = from.toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toString();
    const { data } = assertOk(await list({ de })).body;
    assert.deepEqual(
      data.map((row: Json) => [Number(row.id), row.valor_corrida]),
      [
        [grouped, '0.00'],
        [carrier, valor_corrida],
      ],
    );
    const rows = (await parts({ de })).text.trim().split('\r\n').slice(1);
    assert.deepEqual(
      rows.map((row) => row.split(';')[15]),
      ['0,00', valor_corrida.replace('.', ',')],
    );
  });

  test('is the manager’s own, and its cursor is not that of the list', async () => {
    const { text } = await parts({}, managersSide);
    assert.ok(!text.includes(`\r\n${theirs};`));
    assert.ok(text.includes(`\r\n${made.pix!.id};`));
    const { proximo } = assertOk(await list({ limite: 1 })).body;
    assertRefused(await operator.post('/entregas/exportar', { cursor: proximo }), 400, /cursor/);
  });
});
