import Type from 'typebox';
import { formatDocument } from '../../../platform/kernel/documents.ts';
import {
  type CompanyListFilter,
  countCompanies,
  type ListedCompany,
  listCompaniesPage,
} from '../../../registers/companies/companyListStore.ts';
import {
  countDrivers,
  type DriverListFilter,
  type ListedDriver,
  listDriversPage,
} from '../../../registers/drivers/driverListStore.ts';
import { cents, flag, id, text, view } from '../../json/view.ts';
import { amountCell } from '../wire/csv.ts';
import { given } from '../wire/fields.ts';
import { type ListQuery, listEndpoints } from './listEndpoints.ts';

const TAG = 'Operação: listas';
const ORDERS = ['nome', 'nome_inverso'] as const;
const yesOrNo = (value: boolean): string => (value ? 'sim' : 'não');
const textFilter = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }));

const driverFilter = {
  texto: textFilter('parte do nome, da placa, do veículo ou do telefone, sem diferença de acentos'),
  ativo: Type.Optional(Type.Boolean()),
  disponivel: Type.Optional(Type.Boolean()),
  com_entrega: Type.Optional(
    Type.Boolean({ description: 'tem, ou não, uma entrega aceita ou em andamento' }),
  ),
};

const parseDrivers = (query: ListQuery<typeof driverFilter>): DriverListFilter => ({
  text: given(query.texto),
  active: query.ativo ?? null,
  available: query.disponivel ?? null,
  carrying: query.com_entrega ?? null,
  lastFirst: query.ordem === 'nome_inverso',
});

const driverListEndpoints = listEndpoints({
  path: '/condutores',
  tag: TAG,
  noun: 'entregadores',
  description: 'Os entregadores cadastrados pelo nome, com o que cada um tem em conta.',
  permission: 'registers-read',
  filter: driverFilter,
  filterExample: { ativo: true },
  orders: ORDERS,
  entry: view<ListedDriver>()({
    id: id((driver) => driver.id, '1'),
    nome: text((driver) => driver.name, 'João Silva'),
    telefone: text((driver) => driver.phone, '51999990001'),
    veiculo: text((driver) => driver.vehicle, 'Honda CG'),
    placa: text((driver) => driver.plate, 'IXA1B23'),
    cor: text.orNull((driver) => driver.color, 'preta'),
    ativo: flag((driver) => driver.active, true),
    disponivel: flag((driver) => driver.available, true),
    simulado: flag((driver) => driver.simulated, false),
    saldo: cents(
      (driver) => driver.balanceCents,
      '120.50',
      'o que a central lhe deve; negativo: o contrário',
    ),
    dinheiro_a_entregar: cents((driver) => driver.cashCents, '35.00'),
  }),
  read: (tx, caller, query, request) => listDriversPage(tx, caller.centralId, parseDrivers(query), request),
  count: (tx, caller, query, max) => countDrivers(tx, caller.centralId, parseDrivers(query), max),
  columns: [
    ['Número', ({ id }) => id],
    ['Nome', ({ name }) => name],
    ['Telefone', ({ phone }) => phone],
    ['Veículo', ({ vehicle }) => vehicle],
    ['Placa', ({ plate }) => plate],
    ['Cor', ({ color }) => color],
    ['Ativo', ({ active }) => yesOrNo(active)],
    ['Disponível', ({ available }) => yesOrNo(available)],
    ['A receber', ({ balanceCents }) => amountCell(balanceCents)],
    ['Dinheiro a entregar', ({ cashCents }) => amountCell(cashCents)],
  ],
});

const companyFilter = {
  texto: textFilter('parte do nome, do documento, do telefone, do contrato ou do identificador'),
  ativa: Type.Optional(Type.Boolean()),
};

const parseCompanies = (query: ListQuery<typeof companyFilter>): CompanyListFilter => ({
  text: given(query.texto),
  active: query.ativa ?? null,
  lastFirst: query.ordem === 'nome_inverso',
});

const companyListEndpoints = listEndpoints({
  path: '/empresas',
  tag: TAG,
  noun: 'empresas',
  description: 'As empresas cadastradas pelo nome, com o crédito de cada uma e o que deve.',
  permission: 'registers-read',
  filter: companyFilter,
  filterExample: { texto: 'padaria' },
  orders: ORDERS,
  entry: view<ListedCompany>()({
    id: id((company) => company.id, '1'),
    nome: text((company) => company.name, 'Padaria Moinhos'),
    cpf_cnpj: text((company) => company.document, '11222333000181'),
    telefone: text.orNull((company) => company.phone, '5133330000'),
    numero_contrato: text.orNull((company) => company.contractNumber, null),
    identificador: text.orNull((company) => company.identifier, null),
    ativa: flag((company) => company.active, true),
    creditos: cents((company) => company.balanceCents, '500.00', 'o que há na carteira'),
    em_aberto: cents((company) => company.owedCents, '23.90', 'o que deve; negativo: o contrário'),
  }),
  read: (tx, caller, query, request) =>
    listCompaniesPage(tx, caller.centralId, parseCompanies(query), request),
  count: (tx, caller, query, max) => countCompanies(tx, caller.centralId, parseCompanies(query), max),
  columns: [
    ['Número', ({ id }) => id],
    ['Nome', ({ name }) => name],
    ['CPF/CNPJ', ({ document }) => formatDocument(document)],
    ['Telefone', ({ phone }) => phone],
    ['Contrato', ({ contractNumber }) => contractNumber],
    ['Identificador', ({ identifier }) => identifier],
    ['Ativa', ({ active }) => yesOrNo(active)],
    ['Créditos', ({ balanceCents }) => amountCell(balanceCents)],
    ['Em aberto', ({ owedCents }) => amountCell(owedCents)],
  ],
});

export const registerListEndpoints = [...driverListEndpoints, ...companyListEndpoints];
