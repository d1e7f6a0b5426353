import Type from 'typebox';
import {
  type CompanyListFilter,
  countCompanies,
  listCompaniesPage,
} from '../../companies/companyListStore.ts';
import { countDrivers, type DriverListFilter, listDriversPage } from '../../drivers/driverListStore.ts';
import { formatDocument } from '../../kernel/documents.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { nullable } from '../../wire/values.ts';
import { amountCell } from '../wire/csv.ts';
import { given, recordId } from '../wire/fields.ts';
import { type ListQuery, listEndpoints } from './listEndpoints.ts';

const TAG = 'Operação: listas';
const ORDERS = ['nome', 'nome_inverso'] as const;
const text = Type.String();
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
  entry: Type.Object({
    id: recordId,
    nome: text,
    telefone: text,
    veiculo: text,
    placa: text,
    cor: nullable(text),
    ativo: Type.Boolean(),
    disponivel: Type.Boolean(),
    simulado: Type.Boolean(),
    saldo: Type.String({ description: 'o que a central lhe deve; negativo: o contrário' }),
    dinheiro_a_entregar: text,
  }),
  entryExample: {
    id: 1,
    nome: 'João Silva',
    telefone: '51999990001',
    veiculo: 'Honda CG',
    placa: 'IXA1B23',
    cor: 'preta',
    ativo: true,
    disponivel: true,
    simulado: false,
    saldo: '120.50',
    dinheiro_a_entregar: '35.00',
  },
  read: (tx, caller, query, request) => listDriversPage(tx, caller.centralId, parseDrivers(query), request),
  count: (tx, caller, query, max) => countDrivers(tx, caller.centralId, parseDrivers(query), max),
  show: (driver) => ({
    id: driver.id,
    nome: driver.name,
    telefone: driver.phone,
    veiculo: driver.vehicle,
    placa: driver.plate,
    cor: driver.color,
    ativo: driver.active,
    disponivel: driver.available,
    simulado: driver.simulated,
    saldo: centsToDecimal(driver.balanceCents),
    dinheiro_a_entregar: centsToDecimal(driver.cashCents),
  }),
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
  entry: Type.Object({
    id: recordId,
    nome: text,
    cpf_cnpj: text,
    telefone: nullable(text),
    numero_contrato: nullable(text),
    identificador: nullable(text),
    ativa: Type.Boolean(),
    creditos: Type.String({ description: 'o que há na carteira' }),
    em_aberto: Type.String({ description: 'o que deve; negativo: o contrário' }),
  }),
  entryExample: {
    id: 1,
    nome: 'Padaria Moinhos',
    cpf_cnpj: '11222333000181',
    telefone: '5133330000',
    numero_contrato: null,
    identificador: null,
    ativa: true,
    creditos: '500.00',
    em_aberto: '23.90',
  },
  read: (tx, caller, query, request) =>
    listCompaniesPage(tx, caller.centralId, parseCompanies(query), request),
  count: (tx, caller, query, max) => countCompanies(tx, caller.centralId, parseCompanies(query), max),
  show: (company) => ({
    id: company.id,
    nome: company.name,
    cpf_cnpj: company.document,
    telefone: company.phone,
    numero_contrato: company.contractNumber,
    identificador: company.identifier,
    ativa: company.active,
    creditos: centsToDecimal(company.balanceCents),
    em_aberto: centsToDecimal(company.owedCents),
  }),
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
