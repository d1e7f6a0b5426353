import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Errors } from 'typebox/value';
import { deliveryAnswer } from '../../server/src/api/json/deliveryJson.ts';
import type { Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { useTimeZone } from '../support/registers.ts';
import { stopRows } from '../support/rows.ts';
import { assertOk, deliveryIn, openDelivery } from '../support/steps.ts';

// Contract 2.1, 2.3 and 2.5, as the query endpoint shows them.
const malote = await startMalote();
const { central, manager, operator, clock } = malote;

const query = async (body: unknown): Promise<Json[]> =>
  assertOk(await central.post('/entregas/consultar', body)).body.data;
const idsOf = (deliveries: Json[]): number[] => deliveries.map((delivery) => Number(delivery.id));
const newest = async (): Promise<Json> => (await query({ limite: 1 }))[0];

describe('a delivery', () => {
  test('that was just opened for a person has every field of 2.1 that applies, and no other', async () => {
    const cliente = { nome: 'Rita "Bebê" Lima', cpf: '529.982.247-25', telefone: '51988887777' };
    assertOk(await central.post('/entregas', order({ cliente, categoria_id: 2, forma_pagamento: 'B' })));
    const { id, cliente_id, valor_corrida, paradas, ...shown } = await newest();
    assert.match(id, /^\d+$/);
    assert.match(cliente_id, /^\d+$/);
    assert.match(valor_corrida, /^\d+\.\d{2}$/);
    assert.deepEqual(shown, {
      data_hora_solicitacao: '2026-11-16 12:00:00',
      data_hora_solicitacao_utc: '2026-11-16T15:00:00Z',
      data_hora_chegada_local: null,
      data_hora_chegada_local_utc: null,
      data_hora_aceite: null,
      data_hora_aceite_utc: null,
      data_hora_finalizacao: null,
      data_hora_finalizacao_utc: null,
      data_hora_cancelamento: null,
      data_hora_cancelamento_utc: null,
      data_hora_pendencia: null,
      data_hora_pendencia_utc: null,
      status_solicitacao: 'D',
      nome_passageiro: 'Rita "Bebê" Lima',
      empresa_id: null,
      bandeira_chamada_id: '1',
      bandeira_configuracao_id: '1',
      distancia_coleta_km: '0.00',
      condutor_especificado: false,
      com_retorno: false,
      taxista_id: '',
      nome_taxista: '',
      telefone_taxista: '',
      veiculo: '',
      placa_veiculo: '',
      cor_veiculo: null,
      duracao_corrida: '00:00:00',
      distancia_percorrida_km: '0.00',
      data_hora_inicio: null,
      tipo_pagamento: 'B',
      desconto: '0.00',
      tarifa: 'Carro padrão',
      id_categoria: '2',
      categoria: 'Carro',
      descricao_categoria: 'Entregas de carro, até 100 kg',
      nome_cliente: 'Rita "Bebê" Lima',
      cpf_cliente: '52998224725',
      taxas_cancelamento: null,
      condutor_id: '',
      nome_condutor: '',
      telefone_condutor: '',
      telefone_condutor_internacional: '',
      partida: { ...pickup, complemento: null, referencia: null },
      desejado: null,
    });
    assert.deepEqual(paradas, [
      {
        id: paradas[0].id,
        endereco: 'Avenida Ipiranga, 1',
        complemento: '',
        bairro: 'Azenha',
        cidade: '',
        uf: '',
        lat: '-30.0489',
        lng: '-51.2158',
        ordem: 0,
        numero_pedido: 'P-1',
      },
    ]);
    assert.match(paradas[0]?.id, /^\d+$/);
  });

  test('that a company had carried, there and back, with a coupon, tells all of it', async () => {
    const body = order({
      codigo_cupom: 'demo10',
      com_retorno: true,
      forma_pagamento: 'R',
      partida: { ...pickup, complemento: 'loja 2', referencia: 'na praça' },
      paradas: [
        { ...stop(0), complemento_parada: 'sala 4', cidade_parada: 'Porto Alegre', estado_parada: 'RS' },
        { ...stop(1), numero_pedido: null },
      ],
    });
    const id = Number(assertOk(await manager.post('/entregas', body)).body.data.id_mch);
    const step = async (name: string, sent: unknown = {}) => {
      clock.advance({ minutes: 1, seconds: 1 });
      assertOk(await operator.post(`/entregas/${id}/${name}`, sent));
    };
    await step('atribuir', { condutor_id: 1 });
    await step('aceitar', { condutor_id: 1 });
    await step('chegar');
    await step('iniciar');
    const { paradas } = await newest();
    for (const stop of paradas) await step(`paradas/${stop.id}/concluir`);
    await step('finalizar');

    const { cliente_id, valor_corrida, distancia_coleta_km, distancia_percorrida_km, ...shown } =
      await newest();
    assert.match(cliente_id, /^\d+$/);
    assert.match(distancia_coleta_km, /^0\.1\d$/, 'João was round the corner');
    const receipt = assertOk(await manager.get(`/entregas/${id}/recibo`)).body.data.dados_solicitacao;
    assert.equal(valor_corrida, receipt.valor, 'the net amount');
    assert.notEqual(valor_corrida, receipt.valor_original);
    assert.equal(distancia_percorrida_km, receipt.distancia);
    const joao = { id: '1', name: 'João Silva', phone: '51999990001' };
    const { endereco, bairro, cidade, estado, lat, lng } = pickup;
    assert.deepEqual(shown, {
      id: String(id),
      data_hora_solicitacao: '2026-11-16 12:00:00',
      data_hora_solicitacao_utc: '2026-11-16T15:00:00Z',
      data_hora_chegada_local: '2026-11-16 12:03:03',
      data_hora_chegada_local_utc: '2026-11-16T15:03:03Z',
      data_hora_aceite: '2026-11-16 12:02:02',
      data_hora_aceite_utc: '2026-11-16T15:02:02Z',
      data_hora_finalizacao: '2026-11-16 12:07:07',
      data_hora_finalizacao_utc: '2026-11-16T15:07:07Z',
      data_hora_cancelamento: null,
      data_hora_cancelamento_utc: null,
      data_hora_pendencia: null,
      data_hora_pendencia_utc: null,
      status_solicitacao: 'F',
      nome_passageiro: 'Padaria Moinhos',
      empresa_id: '1',
      bandeira_chamada_id: '1',
      bandeira_configuracao_id: '1',
      condutor_especificado: true,
      com_retorno: true,
      taxista_id: joao.id,
      nome_taxista: joao.name,
      telefone_taxista: joao.phone,
      veiculo: 'Honda CG 160',
      placa_veiculo: 'IXA1B23',
      cor_veiculo: 'vermelha',
      duracao_corrida: '00:03:03',
      data_hora_inicio: '2026-11-16T15:04:04Z',
      tipo_pagamento: 'R',
      desconto: '10.00',
      tarifa: 'Moto padrão',
      id_categoria: '1',
      categoria: 'Moto',
      descricao_categoria: 'Entregas de moto, até 10 kg',
      nome_cliente: 'Padaria Moinhos',
      cnpj_cpf_empresa: '11222333000181',
      codigo_cupom: 'DEMO10',
      gerador_cupom_id: '1',
      taxas_cancelamento: null,
      paradas: [
        {
          id: paradas[0].id,
          endereco: 'Avenida Ipiranga, 1',
          complemento: 'sala 4',
          bairro: 'Azenha',
          cidade: 'Porto Alegre',
          uf: 'RS',
          lat: '-30.0489',
          lng: '-51.2158',
          ordem: 0,
          numero_pedido: 'P-1',
        },
        {
          id: paradas[1].id,
          endereco: 'Avenida Ipiranga, 2',
          complemento: '',
          bairro: 'Azenha',
          cidade: '',
          uf: '',
          lat: '-30.0277',
          lng: '-51.2287',
          ordem: 1,
          numero_pedido: '',
        },
      ],
      condutor_id: joao.id,
      nome_condutor: joao.name,
      telefone_condutor: joao.phone,
      telefone_condutor_internacional: '+5551999990001',
      partida: { endereco, complemento: 'loja 2', referencia: 'na praça', bairro, cidade, estado, lat, lng },
      desejado: { endereco, bairro, cidade, estado, lat, lng },
    });
  });

  const letters = [
    ['awaiting_release', 'P', 'L'],
    ['distributing', 'D', 'D'],
    ['offered', 'G', 'G'],
    ['accepted', 'A', 'A'],
    ['on_hold', 'A', 'A'],
    ['in_progress', 'E', 'E'],
    ['finished', 'F', 'F'],
    ['not_attended', 'N', 'N'],
    ['cancelled', 'C', 'C'],
    ['pending', 'P', 'P'],
  ] as const;
  for (const [status, shown, filter] of letters)
    test(`that is ${status} shows ${shown}, fits the published schema, and answers to the filter ${filter}`, async () => {
      clock.advance({ seconds: 1 });
      const { id } = await deliveryIn(malote, status);
      const found = (await query({ limite: 100 })).find((delivery) => Number(delivery.id) === id);
      assert.equal(found.status_solicitacao, shown);
      assert.deepEqual([...Errors(deliveryAnswer.schema, found)], []);
      for (const letter of ['D', 'G', 'A', 'E', 'F', 'N', 'C', 'P', 'L']) {
        const ids = idsOf(await query({ status_solicitacao: letter, limite: 100 }));
        assert.equal(ids.includes(id), letter === filter, letter);
      }
    });

  test('that was grouped shows its grouper’s status, and its stops are listed there', async () => {
    const [grouper, other] = [
      await deliveryIn(malote, 'in_progress'),
      await deliveryIn(malote, 'in_progress'),
    ];
    assertOk(await groupDeliveries(malote, grouper.id, [other.id]));
    assertOk(await manager.post(`/entregas/${grouper.id}/cancelar`, { motivo_id: 2 }));
    const cancelled = await query({ status_solicitacao: 'C', limite: 100 });
    const stopsOf = (id: number) => cancelled.find((delivery) => Number(delivery.id) === id).paradas;
    assert.deepEqual(stopsOf(other.id), []);
    assert.deepEqual(
      stopsOf(grouper.id).map(({ ordem }: Json) => ordem),
      [0, 1],
    );
  });
});

describe('local times are of the central’s clock, with their copies in UTC', () => {
  const inZone = async (t: TestContext, timeZone: string, instant: string): Promise<[string, string]> => {
    const before = clock.now();
    t.after(() => clock.set(before.toString()));
    await useTimeZone(t, malote, timeZone);
    clock.set(instant);
    const { id } = await openDelivery(malote);
    const shown = assertOk(await central.get(`/entregas/${id}`)).body.data;
    return [shown.data_hora_solicitacao, shown.data_hora_solicitacao_utc];
  };

  const moments: [string, string, string, string][] = [
    ['America/Sao_Paulo', '2027-01-01T02:59:59.999Z', '2026-12-31 23:59:59', '2027-01-01T02:59:59Z'],
    ['America/Sao_Paulo', '2027-01-01T03:00:00Z', '2027-01-01 00:00:00', '2027-01-01T03:00:00Z'],
    ['America/Noronha', '2027-03-01T01:30:00Z', '2027-02-28 23:30:00', '2027-03-01T01:30:00Z'],
    ['America/New_York', '2027-03-14T06:59:59Z', '2027-03-14 01:59:59', '2027-03-14T06:59:59Z'],
    ['America/New_York', '2027-03-14T07:00:00Z', '2027-03-14 03:00:00', '2027-03-14T07:00:00Z'],
    ['America/New_York', '2027-11-07T05:30:00Z', '2027-11-07 01:30:00', '2027-11-07T05:30:00Z'],
    ['America/New_York', '2027-11-07T06:30:00Z', '2027-11-07 01:30:00', '2027-11-07T06:30:00Z'],
  ];
  for (const [zone, instant, local, utc] of moments)
    test(`GET /entregas/{id}: ${instant} in ${zone} -> ${local}`, async (t) => {
      assert.deepEqual(await inZone(t, zone, instant), [local, utc]);
    });
});

const withAmounts = (...amounts: unknown[]) => ({
  paradas: amounts.map((valor_cobrar, index) => ({ ...stop(index), valor_cobrar })),
});

test('what a stop collects may come as a number, as text, or not at all', async () => {
  const created = await malote.manager.post('/entregas', order(withAmounts(12.29, '7.5', null, undefined)));
  assert.equal(created.status, 200, created.text);
  const rows = await stopRows(malote, { noun: 'delivery', id: Number(created.body.data.id_mch) });
  assert.deepEqual(
    rows.map((row) => row.collect_cents),
    [1229, 750, null, null],
  );
});

test('amounts that are none are named together with whatever else is wrong', async () => {
  const wrong = { ...withAmounts(1.234, '1.234', -1, true), forma_pagamento: 'Z' };
  const fields = ['forma_pagamento', ...[0, 1, 2, 3].map((index) => `paradas[${index}].valor_cobrar`)];
  assert.deepEqual(complainedFields(await malote.manager.post('/entregas', order(wrong))), fields);
  const scheduled = await malote.manager.post('/entregas/programadas', scheduledOrder(wrong));
  assert.deepEqual(complainedFields(scheduled), fields);
});
