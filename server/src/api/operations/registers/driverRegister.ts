import Type from 'typebox';
import { endDevicesOf } from '../../../centrals/driverDevices.ts';
import { parsePhone } from '../../../platform/kernel/documents.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { announceRegisterChange } from '../../../platform/postgres/registerCache.ts';
import {
  type DriverRecord,
  type DriverValues,
  deleteDriver,
  findDriver,
  insertDriver,
  listDrivers,
  type NewDriver,
  updateDriver,
} from '../../../registers/drivers/driverStore.ts';
import { formatted } from '../../http/formats.ts';
import { flag, id, lastInExample, list, text, view } from '../../json/view.ts';
import { register } from '../register.ts';
import { capacityBody, capacityIfKnown, parseCapacity } from '../wire/capacityFields.ts';
import { oneId } from '../wire/commonFields.ts';
import { activeField, given, nameText, optionalText, sentId } from '../wire/fields.ts';

const CATEGORIES_MAX = 100;
const COMPANIES_MAX = 1_000;

const CATEGORIES = 'categorias cujas entregas lhe são oferecidas';
const CAPACITY = 'o que o veículo dele leva';
const COMPANIES = 'empresas que atende; vazio: todas, e também entregas sem empresa';

const categories = Type.Array(sentId(), {
  uniqueItems: true,
  maxItems: CATEGORIES_MAX,
  description: CATEGORIES,
});

const companies = Type.Array(sentId(), {
  uniqueItems: true,
  maxItems: COMPANIES_MAX,
  description: COMPANIES,
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
    nome: nameText(),
    telefone: formatted('phone'),
    veiculo: optionalText(100),
    placa: optionalText(10),
    cor: optionalText(50),
    categorias: categories,
    empresas: Type.Optional(companies),
    capacidade: capacityBody(`${CAPACITY}; vazio: como a categoria; ausente: fica como está`),
    ativo: activeField,
    simulado: Type.Optional(
      Type.Boolean({
        description: 'entregador de teste, que se move sozinho; vale ao cadastrar e não muda depois',
      }),
    ),
  }),
  bodyExample: example,
  shown: lastInExample(
    view<DriverRecord>()({
      id: id((driver) => driver.id, '7'),
      nome: text((driver) => driver.name, example.nome),
      telefone: text((driver) => driver.phone, '51999990007'),
      veiculo: text((driver) => driver.vehicle, example.veiculo),
      placa: text((driver) => driver.plate, example.placa),
      cor: text.orNull((driver) => driver.color, example.cor),
      categorias: list(oneId, (driver) => driver.categoryIds, {
        description: CATEGORIES,
        example: ['1'],
      }),
      empresas: list(oneId, (driver) => driver.companyIds, { description: COMPANIES, example: [] }),
      capacidade: capacityIfKnown(`${CAPACITY}; ausente: como a categoria`),
      disponivel: flag((driver) => driver.available, false),
      ativo: flag((driver) => driver.active, example.ativo),
      simulado: flag((driver) => driver.simulated, false),
    }),
    'disponivel',
    'simulado',
  ),
  parse: (body): NewDriver => ({
    name: plainName(body.nome),
    phone: parsePhone(body.telefone)!,
    vehicle: given(body.veiculo) ?? '',
    plate: given(body.placa)?.toUpperCase() ?? '',
    color: given(body.cor),
    categoryIds: body.categorias,
    companyIds: body.empresas ?? [],
    capacity: parseCapacity(body.capacidade),
    active: body.ativo ?? null,
    simulated: body.simulado ?? false,
  }),
  store: {
    list: listDrivers,
    find: findDriver,
    insert: insertDriver,
    update: changeDriver,
    remove: deleteDriver,
  },
});
