import Type from 'typebox';
import { endDevicesOf } from '../../centrals/devices.ts';
import {
  type DriverRecord,
  type DriverValues,
  deleteDriver,
  findDriver,
  insertDriver,
  listDrivers,
  type NewDriver,
  updateDriver,
} from '../../drivers/driverStore.ts';
import { formatted } from '../../http/formats.ts';
import { parsePhone } from '../../kernel/documents.ts';
import type { Tx } from '../../postgres/database.ts';
import { announceRegisterChange } from '../../postgres/registerCache.ts';
import { nullable } from '../../wire/values.ts';
import { register } from '../register.ts';
import { activeField, given, optionalText, recordId, requiredText } from '../wire/fields.ts';

const CATEGORIES_MAX = 100;
const COMPANIES_MAX = 1_000;

const categories = Type.Array(recordId, {
  uniqueItems: true,
  maxItems: CATEGORIES_MAX,
  description: 'categorias cujas entregas lhe são oferecidas',
});

const companies = Type.Array(recordId, {
  uniqueItems: true,
  maxItems: COMPANIES_MAX,
  description: 'empresas que atende; vazio: todas, e também entregas sem empresa',
});

const example = {
  nome: 'Fábio Nunes',
  telefone: '(51) 99999-0007',
  veiculo: 'Honda CG 160',
  placa: 'IXF6G78',
  cor: 'vermelha',
  categorias: [1],
  empresas: [],
  ativo: true,
};

/** A driver that becomes inactive is signed out of its phones. Its login by password is inactive too. */
async function changeDriver(tx: Tx, centralId: number, id: number, values: DriverValues): Promise<boolean> {
  if (!(await updateDriver(tx, centralId, id, values))) return false;
  if (values.active === false) await endDevicesOf(tx, centralId, id);
  announceRegisterChange(tx, centralId);
  return true;
}

export const driverEndpoints = register({
  path: '/condutores',
  permissions: { read: 'registers-read', write: 'drivers' },
  audit: { subject: 'driver', nameOf: ({ name }) => name },
  records: 'drivers',
  tag: 'Operação: entregadores',
  nouns: { one: 'um entregador', all: 'os entregadores' },
  description:
    'A disponibilidade e a posição têm rotas próprias. Um entregador desativado deixa de receber ofertas, sai ' +
    'na hora de todos os aparelhos e o acesso dele com senha deixa de valer (401); o que ele leva, a central passa a ' +
    'outro ou conclui. Reativado, entra de novo. Um entregador com empresas recebe somente entregas delas; com uma só, o telefone dele também identifica essa empresa (tipo T).',
  notFound: 'driver-not-found',
  refusals: ['category-not-found', 'company-not-found'],
  body: Type.Object({
    nome: requiredText(),
    telefone: formatted('phone'),
    veiculo: optionalText(100),
    placa: optionalText(10),
    cor: optionalText(50),
    categorias: categories,
    empresas: Type.Optional(companies),
    ativo: activeField,
    simulado: Type.Optional(
      Type.Boolean({
        description: 'entregador de teste, que se move sozinho; vale ao cadastrar e não muda depois',
      }),
    ),
  }),
  bodyExample: example,
  shown: Type.Object({
    id: recordId,
    nome: Type.String(),
    telefone: Type.String(),
    veiculo: Type.String(),
    placa: Type.String(),
    cor: nullable(Type.String()),
    categorias: categories,
    empresas: companies,
    disponivel: Type.Boolean(),
    ativo: Type.Boolean(),
    simulado: Type.Boolean(),
  }),
  shownExample: { id: 7, ...example, telefone: '51999990007', disponivel: false, simulado: false },
  parse: (body): NewDriver => ({
    name: body.nome,
    phone: parsePhone(body.telefone)!,
    vehicle: given(body.veiculo) ?? '',
    plate: given(body.placa)?.toUpperCase() ?? '',
    color: given(body.cor),
    categoryIds: body.categorias,
    companyIds: body.empresas ?? [],
    active: body.ativo ?? null,
    simulated: body.simulado ?? false,
  }),
  format: (driver: DriverRecord) => ({
    id: driver.id,
    nome: driver.name,
    telefone: driver.phone,
    veiculo: driver.vehicle,
    placa: driver.plate,
    cor: driver.color,
    categorias: [...driver.categoryIds],
    empresas: [...driver.companyIds],
    disponivel: driver.available,
    ativo: driver.active,
    simulado: driver.simulated,
  }),
  store: {
    list: listDrivers,
    find: findDriver,
    insert: insertDriver,
    update: changeDriver,
    remove: deleteDriver,
  },
});
