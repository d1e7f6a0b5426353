import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, deliveryIn, newDriver } from '../support/steps.ts';

const malote = await startMalote();
const { manager, operator, clock } = malote;
await malote.configure({ confirmationCode: true });

const open = async (
  stops = 1,
): Promise<{ id: string; links: string[]; codes: number[]; stopIds: string[] }> => {
  const { body } = await manager.post('/entregas', order({}, stops));
  const id = body.data.id_mch;
  const tracking = await manager.get(`/entregas/${id}/links-rastreio`);
  return {
    id,
    links: tracking.body.data.map((row: { link_rastreio: string }) => row.link_rastreio),
    codes: tracking.body.data.map((row: { codigo_confirmacao: number }) => row.codigo_confirmacao),
    stopIds: tracking.body.data.map((row: { parada_id: string }) => row.parada_id),
  };
};
const read = async (link: string, language = 'pt-BR') => {
  const answer = await fetch(link, { headers: { 'accept-language': language } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
const step = async (id: string, name: string, body: unknown = {}) => {
  const answer = await operator.post(`/entregas/${id}/${name}`, body);
  assert.equal(answer.status, 200, answer.text);
};

test('the link leads to a page that tells, in one sentence, what is happening', async () => {
  const { id, links, codes, stopIds } = await open();
  const link = links[0]!;
  assert.match((await read(link)).text, /Estamos procurando um entregador por perto/);
  assert.match((await read(link, 'en')).text, /We are looking for a courier nearby/);
  await step(id, 'aceitar', { condutor_id: 1 });
  assert.match((await read(link)).text, /João vai buscar o seu pedido\.\sChega entre \d\d:\d\d e \d\d:\d\d/);
  await step(id, 'iniciar');
  const onTheWay = await read(link);
  assert.match(onTheWay.text, /João está a caminho\.\sChega entre/);
  assert.match(onTheWay.text, /A sua é a próxima entrega/);
  assert.match(onTheWay.text, /IXA1B23/);
  assert.match(onTheWay.text, new RegExp(`>${codes[0]}<`));
  await step(id, `paradas/${stopIds[0]}/concluir`, { codigo_confirmacao: codes[0] });
  assert.match((await read(link)).text, /Pedido entregue. Obrigado!/);
});

test('with several stops each recipient learns of the own one only', async () => {
  const { id, links, codes, stopIds } = await open(3);
  await step(id, 'aceitar', { condutor_id: 2 });
  await step(id, 'iniciar');
  const last = await read(links[2]!);
  assert.match(last.text, /2 entregas antes da sua/);
  assert.match(last.text, /Avenida Ipiranga, 3/);
  for (const foreign of [
    'Avenida Ipiranga, 1<',
    'Avenida Ipiranga, 2<',
    'Cliente',
    '5199',
    'Souza',
    String(codes[0]),
  ])
    assert.ok(!last.text.includes(foreign), `the page must not hold "${foreign}"`);
  await step(id, `paradas/${stopIds[0]}/concluir`, { codigo_confirmacao: codes[0] });
  assert.match((await read(links[2]!)).text, /1 entrega antes da sua/);
  await operator.post(`/entregas/${id}/cancelar`, {});
});

test('the driver who brought it stays on the page when the rest is handed over to another driver', async () => {
  const { id, links, codes, stopIds } = await open(2);
  await step(id, 'aceitar', { condutor_id: 4 });
  await step(id, 'iniciar');
  await step(id, `paradas/${stopIds[0]}/concluir`, { codigo_confirmacao: codes[0] });
  await step(id, 'reatribuir', { condutor_id: 3, motivo: 'Pneu furado' });
  assert.match((await read(links[0]!)).text, /Beatriz/);
  assert.match((await read(links[1]!)).text, /Carlos está a caminho/);
  await step(id, `paradas/${stopIds[1]}/concluir`, { codigo_confirmacao: codes[1] });
  assert.match((await read(links[0]!)).text, /Beatriz/);
});

test('a cancelled delivery says what to do', async () => {
  const { id, links } = await open();
  await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  assert.match((await read(links[0]!)).text, /foi cancelada/);
});

test('an old position is marked as old', async () => {
  const { id, links } = await open();
  await step(id, 'aceitar', { condutor_id: 3 });
  await malote.driver(3).post('/condutores/3/posicao', { lat: -30.04, lng: -51.22 });
  clock.advance({ minutes: 4 });
  assert.match((await read(links[0]!)).text, /Última posição conhecida, há 4 min/);
});

test('a link leads nowhere a while after the end, and a wrong one never', async () => {
  const { id, links } = await open();
  await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  clock.advance({ hours: 49 });
  const gone = await read(links[0]!);
  assert.equal(gone.status, 410);
  assert.match(gone.text, /Este link expirou/);
  assert.equal((await read(`${links[0]!.slice(0, -1)}x`)).status, 404);
  assert.equal((await read(`${malote.url}/rastreio/1`)).status, 404);
  assert.equal((await read(links[0]!.replace('/rastreio/1.', '/rastreio/2.'))).status, 404);
  assert.equal(
    (await read(`${malote.url}/rastreio/%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00`)).status,
    404,
  );
});

test('the page is small, private and closed to other origins', async () => {
  const { links } = await open();
  const { text, headers } = await read(links[0]!);
  assert.ok(Buffer.byteLength(text) < 60 * 1024, `${Buffer.byteLength(text)} bytes`);
  const script = await read(`${malote.url}/rastreio.js`);
  assert.ok(Buffer.byteLength(script.text) < 20 * 1024);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.ok(!/https?:\/\//.test(text), 'nothing from elsewhere');
});

test('a messenger’s preview of the link is the same for every recipient', async () => {
  const first = await open();
  const second = await open();
  await step(second.id, 'aceitar', { condutor_id: 4 });
  const previews = await Promise.all(
    [first, second].map(async ({ links }) =>
      [...(await read(links[0]!)).text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(
        ([, name, content]) => `${name}: ${content}`,
      ),
    ),
  );
  assert.deepEqual(previews[0], previews[1]);
  for (const line of [
    'og:title: Sua entrega',
    'og:description: Acompanhe a entrega: quando chega e onde está o entregador.',
    'og:site_name: Central Demonstração',
  ])
    assert.ok(previews[0]!.includes(line), line);
  await manager.post(`/entregas/${second.id}/cancelar`, { motivo_id: 2 });
});

test('texts by people are shown as text, not HTML', async () => {
  const { body } = await manager.post(
    '/entregas',
    order({ paradas: [{ ...order().paradas[0], endereco_parada: '<script>alert(1)</script>' }] }),
  );
  const { body: tracking } = await manager.get(`/entregas/${body.data.id_mch}/links-rastreio`);
  const { text } = await read(tracking.data[0].link_rastreio);
  assert.ok(!text.includes('<script>alert'));
});

test('a courier who finishes another delivery first promises no time yet', async () => {
  const waiting = await deliveryIn(malote, 'on_hold');
  const { body } = await manager.get(`/entregas/${waiting.id}/links-rastreio`);
  const { text } = await read(body.data[0].link_rastreio);
  assert.match(text, /termina outra entrega e depois busca o seu pedido/);
  assert.doesNotMatch(text, /Chega entre/);
});

test('a courier at the pickup is told, and how many come before', async () => {
  const { id, links } = await open(2);
  await step(id, 'aceitar', { condutor_id: 4 });
  await step(id, 'chegar');
  const { text } = await read(links[1]!);
  assert.match(text, /está retirando o seu pedido\.\sChega entre/);
  assert.match(text, /1 entrega antes da sua/);
  await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
});

test('a central that begins to ask for codes shows them to those who have their link already', async () => {
  await malote.configure({ confirmationCode: false });
  const { id, links } = await open();
  assert.doesNotMatch((await read(links[0]!)).text, /id="code-digits">\d/);
  await malote.configure({ confirmationCode: true });
  const shown = /id="code-digits">(\d{4})</.exec((await read(links[0]!)).text)?.[1];
  const { body } = await manager.get(`/entregas/${id}/links-rastreio`);
  assert.equal(String(body.data[0].codigo_confirmacao), shown);
});

test('a delivery on another day shows the day', async () => {
  const { id, links, codes, stopIds } = await open();
  await step(id, 'aceitar', { condutor_id: 5 });
  await step(id, 'iniciar');
  await step(id, `paradas/${stopIds[0]}/concluir`, { codigo_confirmacao: codes[0] });
  const day = clock.now().toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toLocaleString('pt-BR');
  clock.advance({ hours: 24 });
  assert.match((await read(links[0]!)).text, new RegExp(`Entregue em ${day}, às \\d\\d:\\d\\d`));
});

test('the state of a link that leads nowhere is a refusal in the usual envelope', async () => {
  const { id, links } = await open();
  await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  assert.equal((await read(`${links[0]}/estado`)).status, 200);
  clock.advance({ hours: 49 });
  for (const [link, status, message] of [
    [links[0]!, 410, 'This link has expired'],
    [`${malote.url}/rastreio/nenhum-link-como-este`, 404, 'Link not found'],
  ] as const) {
    const answer = await read(`${link}/estado`, 'en');
    assert.equal(answer.status, status);
    assert.deepEqual(JSON.parse(answer.text), { success: false, errors: [{ code: 0, message }] });
  }
});

test('nothing that identifies anything else is told by the state', async () => {
  const { id, links } = await open(2);
  await step(id, 'aceitar', { condutor_id: 6 });
  const { data } = JSON.parse((await read(`${links[1]}/estado`)).text);
  assert.deepEqual(Object.keys(data).toSorted(), [
    'attempts',
    'code',
    'destination',
    'detail',
    'driver',
    'driverAt',
    'icon',
    'isOld',
    'over',
    'phase',
    'photo',
    'positionNote',
    'sentence',
    'step',
    'time',
    'updated',
  ]);
  assert.deepEqual(Object.keys(data.driver), ['name', 'vehicle', 'plate']);
});

test('a failed attempt is told with its time and what follows, without whose fault it was', async () => {
  const { id, links, codes, stopIds } = await open(2);
  await step(id, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(id, 'iniciar');
  await step(id, `paradas/${stopIds[0]}/falhar`, { motivo: 'ausente', observacao: 'Cachorro bravo' });
  const retried = (await read(links[0]!)).text;
  assert.match(
    retried,
    /Tentamos entregar às \d\d:\d\d e não encontramos ninguém\.\nO entregador tenta de novo depois das outras/,
  );
  assert.match(retried, /1 entrega antes da sua/);
  assert.doesNotMatch(retried, /Cachorro/);
  assert.match((await read(links[0]!, 'en')).text, /We tried to deliver at \d\d:\d\d and found nobody\./);
  assert.doesNotMatch((await read(links[1]!)).text, /Tentamos/, 'the other recipient learns nothing of it');

  const day = clock.now().toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toLocaleString('pt-BR');
  clock.advance({ hours: 24 });
  const [sentence] = /Tentamos entregar .*ninguém\./.exec((await read(links[0]!)).text) ?? [];
  assert.match(sentence!, new RegExp(`^Tentamos entregar em ${day}, às \\d\\d:\\d\\d e não`));

  await step(id, `paradas/${stopIds[0]}/falhar`, { motivo: 'ausente' });
  const returning = (await read(links[0]!)).text;
  assert.match(returning, /Não conseguimos entregar o seu pedido\./);
  assert.match(returning, /O pedido está voltando\. Para receber, fale com Padaria Moinhos\./);
  assert.match(returning, /rastreio\.js/, 'the central may still put it back');
  assert.doesNotMatch(returning, new RegExp(`>${codes[0]}<`));
  await step(id, `paradas/${stopIds[1]}/concluir`, { codigo_confirmacao: codes[1] });
  await step(id, 'finalizar');
  const back = (await read(links[0]!)).text;
  assert.match(back, /O pedido voltou\. Para receber, fale com Padaria Moinhos\./);
  assert.doesNotMatch(back, /rastreio\.js/, 'nothing changes any more');
  assert.match(
    (await read(links[0]!, 'en')).text,
    /Your order went back\. To receive it, talk to Padaria Moinhos\./,
  );

  const { body } = assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/nova-entrega`, {}));
  const again = (await read(links[0]!)).text;
  assert.match(again, /Uma nova entrega do pedido já está marcada\./);
  assert.doesNotMatch(again, /Para receber/);
  assertOk(await manager.post(`/entregas/${body.data.nova_entrega}/cancelar`, { motivo_id: 2 }));
  assert.match((await read(links[0]!)).text, /O pedido voltou\. Para receber, fale com Padaria Moinhos\./);
});

test('a recipient who is the only one left is not told of other deliveries to wait for', async () => {
  const { id, links, codes, stopIds } = await open(2);
  await step(id, 'aceitar', { condutor_id: await newDriver(malote) });
  await step(id, 'iniciar');
  await step(id, `paradas/${stopIds[0]}/falhar`, { motivo: 'ausente' });
  await step(id, `paradas/${stopIds[1]}/concluir`, { codigo_confirmacao: codes[1] });
  const { text } = await read(links[0]!);
  assert.match(text, /não encontramos ninguém\.\nO entregador vai tentar de novo\./);
  assert.match(text, /A sua é a próxima entrega/);
  assert.doesNotMatch(text, /outras entregas/);
  assert.match((await read(links[0]!, 'en')).text, /found nobody\.\nThe courier will try again\./);
});

test('the page names the shop, says how to get help with links to tap, and shows the vehicle', async (t) => {
  await malote.configureFor(t, { supportText: 'Ligue (51) 3000-0000' });
  const { id, links } = await open();
  const before = (await read(links[0]!)).text;
  assert.match(before, /Pedido de Padaria Moinhos/);
  assert.match(before, /href="tel:\+555130000000"/);
  assert.match(before, /href="https:\/\/wa\.me\/555130000000"/);
  const company = (await operator.get('/empresas/1')).body.data;
  t.after(() => operator.put('/empresas/1', company));
  await operator.put('/empresas/1', { ...company, texto_ajuda: 'WhatsApp (51) 99999-1234' });
  const own = (await read(links[0]!, 'en')).text;
  assert.match(own, /Order from Padaria Moinhos/);
  assert.match(own, /href="https:\/\/wa\.me\/5551999991234"/);
  await step(id, 'aceitar', { condutor_id: await newDriver(malote) });
  assert.match((await read(links[0]!)).text, /Honda CG/);
});

test('the page never gives a driver’s vehicle the kind of the ordered category', async () => {
  const [motorcycle, car] = [1, 2];
  const said = async (categories: readonly number[]) => {
    const { id, links } = await open();
    const { body } = await operator.post('/condutores', {
      nome: 'Beatriz Rocha',
      telefone: '51999990004',
      veiculo: 'Fiat Fiorino',
      placa: 'IXD4E56',
      cor: 'branca',
      categorias: categories,
    });
    await step(id, 'aceitar', { condutor_id: body.data.id });
    const { data } = JSON.parse((await read(`${links[0]}/estado`)).text);
    return { vehicle: data.driver.vehicle, icon: data.icon };
  };
  // A driver of both categories has one vehicle, whose kind is not registered.
  const both = await said([motorcycle!, car!]);
  const cars = await said([car!]);
  assert.equal(both.vehicle, 'Fiat Fiorino, branca');
  assert.equal(cars.vehicle, 'Fiat Fiorino, branca');
  assert.notEqual(both.icon, cars.icon);
});
