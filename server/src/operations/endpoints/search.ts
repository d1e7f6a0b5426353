import type { Static } from 'typebox';
import Type from 'typebox';
import { endpoint } from '../../http/endpoint.ts';
import type { FieldName } from '../../search/documents.ts';
import type { MatchedField } from '../../search/explainMatch.ts';
import type { FoundStop } from '../../search/foundStore.ts';
import { type Group, type Result, searchEverything } from '../../search/searchEverything.ts';
import { TEXT_LENGTH_MAX } from '../../search/searchWords.ts';
import { fullStatusCode, situationCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { instantShown, requiredText } from '../wire/fields.ts';
import { statusField } from './overview.ts';

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

const text = Type.String();
const matched = Type.Array(
  Type.Object({
    campo: Type.Enum(Object.values(fieldCode)),
    trechos: Type.Array(Type.Object({ texto: text, destaque: Type.Boolean() })),
  }),
  { description: 'os textos em que se encontrou, em trechos; vazio quando se digitou o número' },
);
const request = {
  pedida_em: instantShown,
  nome_cliente: Type.String({ description: 'a empresa, ou a pessoa que pediu' }),
  empresa_id: nullable(text),
  destinatario: nullable(Type.String({ description: 'da parada encontrada, ou da primeira' })),
  endereco: nullable(text),
  bairro: nullable(text),
  numero_pedido: nullable(text),
  paradas: Type.Integer(),
  agrupada_em: nullable(text),
  encontrado: matched,
};

const DeliverySchema = Type.Object({
  id: text,
  status: statusField,
  condutor: nullable(text),
  ...request,
});
const ScheduledSchema = Type.Object({
  id: text,
  situacao: Type.Enum(Object.values(situationCode)),
  disparo_em: instantShown,
  id_mch: nullable(text),
  ...request,
});
const CompanySchema = Type.Object({ id: text, nome: text, ativa: Type.Boolean(), encontrado: matched });
const DriverSchema = Type.Object({
  id: text,
  nome: text,
  placa: text,
  veiculo: text,
  ativo: Type.Boolean(),
  disponivel: Type.Boolean(),
  encontrado: matched,
});
const CustomerSchema = Type.Object({
  id: text,
  nome: text,
  telefone: nullable(text),
  ultima_entrega: nullable(text),
  encontrado: matched,
});

const group = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Object({ itens: Type.Array(schema), ha_mais: Type.Boolean() });

const ResultsSchema = Type.Object({
  entregas: group(DeliverySchema),
  programadas: group(ScheduledSchema),
  empresas: group(CompanySchema),
  condutores: group(DriverSchema),
  clientes: group(CustomerSchema),
});

const requestExample = {
  pedida_em: '2026-11-16T15:00:00Z',
  nome_cliente: 'Padaria Central',
  empresa_id: '1',
  destinatario: 'João Gonçalves',
  endereco: 'Rua Padre Chagas, 185',
  bairro: 'Moinhos de Vento',
  numero_pedido: 'PED-1042',
  paradas: 1,
  agrupada_em: null,
  encontrado: [
    {
      campo: 'destinatario',
      trechos: [
        { texto: 'João', destaque: true },
        { texto: ' ', destaque: false },
        { texto: 'Gonçalves', destaque: true },
      ],
    },
  ],
} as const;

const nothing = { itens: [], ha_mais: false };

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
  query: Type.Object({
    texto: requiredText(TEXT_LENGTH_MAX),
    limite: Type.Optional(
      Type.Integer({ minimum: 1, maximum: RESULTS_MAX, description: `de cada tipo; padrão ${RESULTS}` }),
    ),
  }),
  queryExample: { texto: 'joao goncalves' },
  answer: dataAnswer(ResultsSchema),
  answerExample: {
    success: true,
    data: {
      entregas: {
        itens: [{ id: '1042', status: 'E', condutor: 'João Silva', ...requestExample }],
        ha_mais: false,
      },
      programadas: nothing,
      empresas: nothing,
      condutores: nothing,
      clientes: nothing,
    },
  },
  async handle({ deps: { db }, caller, query }) {
    const found = await searchEverything(db, caller, query.texto, query.limite ?? RESULTS);
    return {
      data: {
        entregas: formatGroup(found.deliveries, (result) => ({
          id: String(result.found.id),
          status: fullStatusCode[result.found.status],
          condutor: result.found.driverName,
          ...formatRequest(result),
        })),
        programadas: formatGroup(found.scheduled, (result) => ({
          id: String(result.found.id),
          situacao: situationCode[result.found.situation],
          disparo_em: formatUtc(result.found.dispatchAt),
          id_mch: formatId(result.found.deliveryId),
          ...formatRequest(result),
        })),
        empresas: formatGroup(found.companies, ({ found: company, ...result }) => ({
          id: String(company.id),
          nome: company.name,
          ativa: company.isActive,
          encontrado: formatMatched(result.matched),
        })),
        condutores: formatGroup(found.drivers, ({ found: driver, ...result }) => ({
          id: String(driver.id),
          nome: driver.name,
          placa: driver.plate,
          veiculo: driver.vehicle,
          ativo: driver.isActive,
          disponivel: driver.isAvailable,
          encontrado: formatMatched(result.matched),
        })),
        clientes: formatGroup(found.customers, ({ found: customer, ...result }) => ({
          id: String(customer.id),
          nome: customer.name,
          telefone: customer.phone,
          ultima_entrega: formatId(customer.lastDeliveryId),
          encontrado: formatMatched(result.matched),
        })),
      },
    };
  },
});

const formatId = (id: number | null): string | null => (id === null ? null : String(id));

const formatGroup = <Found, Item>(
  { results, hasMore }: Group<Found>,
  format: (result: Result<Found>) => Item,
): { itens: Item[]; ha_mais: boolean } => ({ itens: results.map(format), ha_mais: hasMore });

const formatMatched = (fields: readonly MatchedField[]): Static<typeof matched> =>
  fields.map(({ name, pieces }) => ({
    campo: fieldCode[name],
    trechos: pieces.map(({ text: texto, isMatch }) => ({ texto, destaque: isMatch })),
  }));

interface RequestLine {
  requestedAt: Temporal.Instant;
  customerName: string;
  companyId: number | null;
  groupedInto: number | null;
  stops: readonly FoundStop[];
}

function formatRequest({ found, matched: fields }: Result<RequestLine>) {
  const stop = found.stops[fields.find((field) => field.stop !== null)?.stop ?? 0];
  return {
    pedida_em: formatUtc(found.requestedAt),
    nome_cliente: found.customerName,
    empresa_id: formatId(found.companyId),
    destinatario: stop?.recipientName ?? null,
    endereco: stop?.address ?? null,
    bairro: stop?.district ?? null,
    numero_pedido: stop?.orderNumber ?? null,
    paradas: found.stops.length,
    agrupada_em: formatId(found.groupedInto),
    encontrado: formatMatched(fields),
  };
}
