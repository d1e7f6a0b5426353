import type { Static } from 'typebox';
import Type from 'typebox';
import { boundingBox } from '../../areas/area.ts';
import { may } from '../../centrals/permissions.ts';
import { listActiveReasons } from '../../centrals/reasonStore.ts';
import { listActiveCompanies } from '../../companies/companyStore.ts';
import { isLate, willBeLate } from '../../deliveries/deadlineStore.ts';
import { countFailures } from '../../deliveries/failureListStore.ts';
import { expectedAtLast } from '../../deliveries/openArrivals.ts';
import { countOpen, listOpen, type OpenDelivery } from '../../deliveries/openDeliveriesStore.ts';
import { listHelpRequests } from '../../drivers/helpStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { estimatorFor } from '../../routing/router.ts';
import { countAwaiting, countFailed } from '../../scheduled/scheduledStore.ts';
import { countTroubledWebhooks } from '../../webhooks/webhookStore.ts';
import { fullStatusCode, paymentCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { instantShown, recordId } from '../wire/fields.ts';

const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const;
const count = Type.Integer({ minimum: 0 });
const HELP_SHOWN_MAX = 50;

export const getSummaryEndpoint = endpoint({
  method: 'GET',
  path: '/resumo',
  tag: 'Operação: ao vivo',
  summary: 'Ver o dia em números',
  description:
    'Quantas entregas estão em cada status vivo, quantas passaram do que o pedido prometeu ou da previsão da etapa em que estão, quantas têm um endereço a conferir, quantas programadas aguardam, o disparo de quantas falhou sem que fossem canceladas e quantos webhooks não recebem. O histórico não é contado. Um gerente vê a própria empresa.',
  permission: 'watch',
  limit: 'operations',
  answer: dataAnswer(
    Type.Object({
      agora: instantShown,
      entregas: Type.Object(Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, count]))),
      atrasadas: count,
      enderecos_a_conferir: Type.Integer({
        minimum: 0,
        description: 'entregas em curso com um endereço encontrado com menos precisão do que a central pede',
      }),
      programadas_aguardando: count,
      programadas_com_falha: count,
      paradas_nao_entregues: count,
      webhooks_com_problema: count,
      pedidos_ajuda: Type.Array(
        Type.Object({
          id: Type.String(),
          condutor: Type.Object({ id: Type.String(), nome: Type.String() }),
          id_mch: nullable(Type.String()),
          texto: Type.String(),
          em: instantShown,
        }),
        { description: `o que entregadores pedem à central, até ${HELP_SHOWN_MAX}; só para operadores` },
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      agora: '2026-11-16T15:00:00Z',
      entregas: { L: 0, D: 2, G: 1, P: 0, A: 3, S: 1, E: 5 },
      atrasadas: 1,
      enderecos_a_conferir: 0,
      programadas_aguardando: 8,
      programadas_com_falha: 0,
      paradas_nao_entregues: 0,
      webhooks_com_problema: 0,
      pedidos_ajuda: [
        {
          id: '81273640219',
          condutor: { id: '1', nome: 'João Silva' },
          id_mch: '1042',
          texto: 'A rua está interditada',
          em: '2026-11-16T14:58:00Z',
        },
      ],
    },
  },
  async handle({ deps: { db, clock }, caller }) {
    const now = clock.now();
    const [open, awaiting, failed, notDelivered, troubled, help] = await Promise.all([
      countOpen(db, caller, now),
      countAwaiting(db, caller),
      countFailed(db, caller),
      countFailures(db, caller),
      countTroubledWebhooks(db, caller),
      may(caller, 'internals') ? listHelpRequests(db, caller.centralId, HELP_SHOWN_MAX) : [],
    ]);
    const counts = Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, 0]));
    for (const each of open) counts[fullStatusCode[each.status]] = each.count;
    return {
      data: {
        agora: formatUtc(now),
        entregas: counts,
        atrasadas: open.reduce((sum, { late }) => sum + late, 0),
        enderecos_a_conferir: open.reduce((sum, { unsure }) => sum + unsure, 0),
        programadas_aguardando: awaiting,
        programadas_com_falha: failed,
        paradas_nao_entregues: notDelivered,
        webhooks_com_problema: troubled,
        pedidos_ajuda: help.map((request) => ({
          id: String(request.id),
          condutor: { id: String(request.driverId), nome: request.driverName },
          id_mch: request.deliveryId === null ? null : String(request.deliveryId),
          texto: request.text,
          em: formatUtc(request.createdAt),
        })),
      },
    };
  },
});

const named = { id: recordId, nome: Type.String() };

export const listOptionsEndpoint = endpoint({
  method: 'GET',
  path: '/opcoes',
  tag: 'Operação: ao vivo',
  summary: 'Saber o que se pode escolher',
  description:
    'O que preenche as escolhas de quem abre, acompanha ou cancela entregas: categorias ativas, empresas ativas (um gerente vê a própria), motivos de cancelamento e os limites da área padrão.',
  permission: 'watch',
  limit: 'operations',
  answer: dataAnswer(
    Type.Object({
      categorias: Type.Array(Type.Object(named)),
      empresas: Type.Array(Type.Object({ ...named, categoria_padrao_id: nullable(recordId) })),
      motivos_cancelamento: Type.Array(Type.Object(named)),
      codigo_confirmacao: Type.Boolean({ description: 'se a central pede código para concluir paradas' }),
      limites: nullable(
        Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'oeste, sul, leste, norte' }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      categorias: [{ id: 1, nome: 'Moto' }],
      empresas: [{ id: 1, nome: 'Padaria Central', categoria_padrao_id: 1 }],
      motivos_cancelamento: [{ id: 2, nome: 'Mudança de planos' }],
      codigo_confirmacao: false,
      limites: [-51.3, -30.2, -51.05, -29.95],
    },
  },
  async handle({ deps: { db, priceBooks }, caller, language }) {
    const [book, companies, reasons] = await Promise.all([
      priceBooks.of(caller.centralId),
      listActiveCompanies(db, caller),
      listActiveReasons(db, caller.centralId),
    ]);
    const area = book.areas.areas.find(({ isDefault }) => isDefault);
    return {
      data: {
        categorias: book.categories
          .filter(({ active }) => active)
          .map(({ id, name }) => ({ id, nome: name })),
        empresas: companies.map(({ id, name, defaultCategoryId }) => ({
          id,
          nome: name,
          categoria_padrao_id: defaultCategoryId,
        })),
        motivos_cancelamento: reasons.map(({ id, name, nameEn }) => ({
          id,
          nome: language === 'en' ? nameEn : name,
        })),
        codigo_confirmacao: caller.central.settings.confirmationCode,
        limites: area ? boundingBox(area.shape) : null,
      },
    };
  },
});

export const statusField = Type.Enum([...new Set(Object.values(fullStatusCode))], {
  description: 'as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A',
});

const place = { endereco: Type.String(), bairro: Type.String(), lat: Type.Number(), lng: Type.Number() };

export const OpenDeliverySchema = Type.Object({
  id: Type.String(),
  status: statusField,
  empresa_id: nullable(Type.String()),
  nome_cliente: Type.String(),
  categoria: Type.String(),
  condutor: nullable(Type.Object({ id: Type.String(), nome: Type.String() })),
  tipo_pagamento: Type.String(),
  valor_corrida: Type.String(),
  solicitada_em: instantShown,
  previsao: Type.String({ description: 'até quando a etapa atual deveria terminar; ISO 8601 em UTC' }),
  prometida_para: nullable(
    Type.String({
      description:
        'até quando o pedido prometeu a última parada; nulo nas abertas antes que promessas fossem guardadas',
    }),
  ),
  chegada_prevista: nullable(
    Type.String({ description: 'na última parada que falta; nulo enquanto não se sabe quem a leva' }),
  ),
  atrasada: Type.Boolean({ description: 'passou do que o pedido prometeu, ou da previsão da etapa' }),
  vai_atrasar: Type.Boolean({ description: 'ainda no prazo, e a chegada prevista é depois do prometido' }),
  conferir_endereco: Type.Boolean({
    description: 'um endereço ainda a visitar foi encontrado com menos precisão do que a central pede',
  }),
  partida: Type.Object({ ...place, conferir: Type.Boolean() }),
  paradas: Type.Array(
    Type.Object({
      id: Type.String(),
      ...place,
      concluida: Type.Boolean(),
      nao_entregue: Type.Boolean(),
      conferir: Type.Boolean(),
    }),
  ),
});

const openDeliveryExample: Static<typeof OpenDeliverySchema> = {
  id: '1042',
  status: 'E',
  empresa_id: '1',
  nome_cliente: 'Padaria Central',
  categoria: 'Moto',
  condutor: { id: '1', nome: 'João Silva' },
  tipo_pagamento: 'D',
  valor_corrida: '19.43',
  solicitada_em: '2026-11-16T15:00:00Z',
  previsao: '2026-11-16T15:45:00Z',
  prometida_para: '2026-11-16T15:34:00Z',
  chegada_prevista: '2026-11-16T15:29:00Z',
  atrasada: false,
  vai_atrasar: false,
  conferir_endereco: false,
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    lat: -30.0305,
    lng: -51.2303,
    conferir: false,
  },
  paradas: [
    {
      id: '2077',
      endereco: 'Avenida Ipiranga, 1',
      bairro: 'Azenha',
      lat: -30.0489,
      lng: -51.2158,
      concluida: false,
      conferir: false,
      nao_entregue: false,
    },
  ],
};

const formatOpenDelivery = (
  delivery: OpenDelivery,
  expectedAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Static<typeof OpenDeliverySchema> => ({
  id: String(delivery.id),
  status: fullStatusCode[delivery.status],
  empresa_id: delivery.companyId === null ? null : String(delivery.companyId),
  nome_cliente: delivery.customerName,
  categoria: delivery.categoryName,
  condutor:
    delivery.driverId === null ? null : { id: String(delivery.driverId), nome: delivery.driverName ?? '' },
  tipo_pagamento: paymentCode[delivery.payment],
  valor_corrida: centsToDecimal(delivery.netCents),
  solicitada_em: formatUtc(delivery.requestedAt),
  previsao: formatUtc(delivery.dueAt),
  prometida_para: delivery.promisedAt && formatUtc(delivery.promisedAt),
  chegada_prevista: expectedAt && formatUtc(expectedAt),
  atrasada: isLate(delivery, now),
  vai_atrasar: willBeLate(delivery, expectedAt, now),
  conferir_endereco: delivery.hasUnsureAddress,
  partida: {
    endereco: delivery.address,
    bairro: delivery.district,
    lat: delivery.lat,
    lng: delivery.lng,
    conferir: delivery.isPickupUnsure,
  },
  paradas: delivery.stops.map((stop) => ({
    id: String(stop.id),
    endereco: stop.address,
    bairro: stop.district,
    lat: stop.lat,
    lng: stop.lng,
    concluida: stop.concluded,
    conferir: stop.isUnsure,
    nao_entregue: stop.notDelivered,
  })),
});

/** More than a person can handle. The totals of the day count all. */
const LISTED_MAX = 500;

export const listOpenDeliveriesEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/abertas',
  tag: 'Operação: ao vivo',
  summary: 'Listar as entregas em curso',
  description: `As entregas que ainda não terminaram, da mais antiga para a mais nova, até ${LISTED_MAX}. As agrupadas em outra aparecem nela. Um gerente vê a própria empresa.`,
  permission: 'watch',
  limit: 'operations',
  answer: dataAnswer(Type.Array(OpenDeliverySchema)),
  answerExample: { success: true, data: [openDeliveryExample] },
  async handle({ deps: { db, clock }, caller }) {
    const { settings } = caller.central;
    const open = await listOpen(db, caller, LISTED_MAX);
    const now = clock.now();
    const isWholeCentral = caller.companyId === null;
    const expected = await expectedAtLast(estimatorFor(settings), open, now, { isWholeCentral });
    return {
      data: open.map((delivery) => formatOpenDelivery(delivery, expected.get(delivery.id) ?? null, now)),
    };
  },
});
