import Type, { type TObject } from 'typebox';
import type { MatchedField, Piece } from '../../../insight/search/explainMatch.ts';
import type {
  FoundCompany,
  FoundCustomer,
  FoundDelivery,
  FoundDriver,
  FoundScheduled,
  FoundStop,
} from '../../../insight/search/foundStore.ts';
import type { FieldName } from '../../../insight/search/searchDocuments.ts';
import {
  type Group,
  type Result,
  type SearchResults,
  searchEverything,
} from '../../../insight/search/searchEverything.ts';
import { TEXT_LENGTH_MAX } from '../../../insight/search/searchWords.ts';
import { endpoint } from '../../http/endpoint.ts';
import { situationCode } from '../../json/codes.ts';
import { answerWith } from '../../json/values.ts';
import { code, flag, id, instant, integer, list, one, text, type View, view } from '../../json/view.ts';
import { status } from '../wire/commonFields.ts';
import { requiredText } from '../wire/fields.ts';

const RESULTS = 10;
const RESULTS_MAX = 50;

const fieldCode = {
  recipient: 'destinatario',
  recipientPhone: 'telefone_destinatario',
  address: 'endereco',
  orderNumber: 'numero_pedido',
  externalId: 'id_externo',
  customer: 'cliente',
  customerPhone: 'telefone_cliente',
  pickup: 'coleta',
  name: 'nome',
  phone: 'telefone',
  document: 'documento',
  plate: 'placa',
  identifier: 'identificador',
  contractNumber: 'numero_contrato',
} as const satisfies Record<FieldName, string>;

const piece = view<Piece>()({
  texto: text((each) => each.text, 'João'),
  destaque: flag((each) => each.isMatch, true),
});
const matchedField = view<MatchedField>()({
  campo: code(fieldCode)((field) => field.name, 'destinatario'),
  trechos: list(piece, (field) => field.pieces, {
    example: [piece.example, { texto: ' ', destaque: false }, { texto: 'Gonçalves', destaque: true }],
  }),
});
const matched = list(matchedField, (result: Result<unknown>) => result.matched, {
  description: 'os textos em que se encontrou, em trechos; vazio quando se digitou o número',
});

type FoundRequest = Result<FoundDelivery | FoundScheduled>;

/** The stop that was found, or the first. */
const stopOf = ({ found, matched }: FoundRequest): FoundStop | undefined =>
  found.stops[matched.find((field) => field.stop !== null)?.stop ?? 0];

const requestFields = {
  pedida_em: instant(({ found }: FoundRequest) => found.requestedAt, '2026-11-16T15:00:00Z'),
  nome_cliente: text(
    ({ found }: FoundRequest) => found.customerName,
    'Padaria Central',
    'a empresa, ou a pessoa que pediu',
  ),
  empresa_id: id.orNull(({ found }: FoundRequest) => found.companyId, '1'),
  destinatario: text.orNull(
    (result: FoundRequest) => stopOf(result)?.recipientName,
    'João Gonçalves',
    'da parada encontrada, ou da primeira',
  ),
  endereco: text.orNull((result: FoundRequest) => stopOf(result)?.address, 'Rua Padre Chagas, 185'),
  bairro: text.orNull((result: FoundRequest) => stopOf(result)?.district, 'Moinhos de Vento'),
  numero_pedido: text.orNull((result: FoundRequest) => stopOf(result)?.orderNumber, 'PED-1042'),
  paradas: integer(({ found }: FoundRequest) => found.stops.length, 1),
  agrupada_em: id.orNull(({ found }: FoundRequest) => found.groupedInto, null),
  encontrado: matched,
};

const recordFields = (nome: string) => ({
  id: id(({ found }: Result<{ id: number }>) => found.id, '1'),
  nome: text(({ found }: Result<{ name: string }>) => found.name, nome),
});

const delivery = view<Result<FoundDelivery>>()({
  id: id(({ found }) => found.id, '1042'),
  status: status(({ found }) => found.status, 'E'),
  condutor: text.orNull(({ found }) => found.driverName, 'João Silva'),
  ...requestFields,
});
const scheduled = view<Result<FoundScheduled>>()({
  id: id(({ found }) => found.id, '312'),
  situacao: code(situationCode)(({ found }) => found.situation, 'A'),
  disparo_em: instant(({ found }) => found.dispatchAt, '2026-11-16T16:00:00Z'),
  id_mch: id.orNull(({ found }) => found.deliveryId, null),
  ...requestFields,
});
const company = view<Result<FoundCompany>>()({
  ...recordFields('Padaria Central'),
  ativa: flag(({ found }) => found.isActive, true),
  encontrado: matched,
});
const driver = view<Result<FoundDriver>>()({
  ...recordFields('João Silva'),
  placa: text(({ found }) => found.plate, 'IXA1B23'),
  veiculo: text(({ found }) => found.vehicle, 'Honda CG 160'),
  ativo: flag(({ found }) => found.isActive, true),
  disponivel: flag(({ found }) => found.isAvailable, true),
  encontrado: matched,
});
const customer = view<Result<FoundCustomer>>()({
  ...recordFields('Maria Oliveira'),
  telefone: text.orNull(({ found }) => found.phone, '51999990000'),
  ultima_entrega: id.orNull(({ found }) => found.lastDeliveryId, '1042'),
  encontrado: matched,
});

const group = <Found, Schema extends TObject>(
  item: View<Result<Found>, unknown, Schema>,
  read: (results: SearchResults) => Group<Found>,
  options?: { example: [] },
) =>
  one(
    view<Group<Found>>()({
      itens: list(item, ({ results }) => results, options),
      ha_mais: flag(({ hasMore }) => hasMore, false),
    }),
    read,
  );

const results = view<SearchResults>()({
  entregas: group(delivery, (found) => found.deliveries),
  programadas: group(scheduled, (found) => found.scheduled, { example: [] }),
  empresas: group(company, (found) => found.companies, { example: [] }),
  condutores: group(driver, (found) => found.drivers, { example: [] }),
  clientes: group(customer, (found) => found.customers, { example: [] }),
});

/** A GET, unlike other queries that may name people: log lines and metrics contain the endpoint without its query. */
export const searchEndpoint = endpoint({
  method: 'GET',
  path: '/busca',
  operation: 'search',
  tag: 'Operação: busca',
  summary: 'Buscar em tudo',
  description: `Encontra entregas e programadas pelo número, número do pedido, id externo, nome ou telefone do destinatário e endereço; empresas, entregadores (nome, telefone, placa) e clientes sem empresa. Acentos, pontuação e maiúsculas não contam, grafias que soam igual são a mesma, e erros de digitação são tolerados. A última palavra pode estar incompleta, a menos que um espaço a siga; de um telefone bastam os últimos quatro algarismos. Todas as palavras devem ser encontradas. Os mais recentes vêm primeiro. Um gerente busca só no que a própria empresa pediu; clientes só a equipe da central encontra. O que acaba de ser criado é encontrado pelo número no mesmo instante, e pelo resto um instante depois.`,
  permission: 'watch',
  limit: 'operations',
  isHeavy: true,
  query: Type.Object({
    texto: requiredText(TEXT_LENGTH_MAX),
    limite: Type.Optional(
      Type.Integer({ minimum: 1, maximum: RESULTS_MAX, description: `de cada tipo; padrão ${RESULTS}` }),
    ),
  }),
  queryExample: { texto: 'joao goncalves' },
  ...answerWith(results),
  async handle({ deps: { db }, caller, query }) {
    const found = await searchEverything(db, caller, query.texto, query.limite ?? RESULTS);
    return { data: results.show(found, undefined) };
  },
});
