import type { Role } from '../../src/centrals/caller.ts';
import type { Address, OrderedStop } from '../../src/deliveries/orders/request.ts';
import type { Profile } from '../../src/geo/routing/router.ts';

export interface DemoCentral {
  name: string;
  timeZone: string;
  apiKey: string;
  /** Reaches the sandbox. */
  testKey?: string;
  operator: string;
  /** One login for each company. */
  managers: readonly string[];
  driverLogin?: string;
  /** Further people of the central, in the full demonstration. */
  staff?: readonly { username: string; role: Role }[];
  /** West, south, east, north. */
  areas: readonly { name: string; isDefault: boolean; box: [number, number, number, number] }[];
  categories: readonly { name: string; description: string; profile: Profile; tariff: DemoTariff }[];
  companies: readonly {
    name: string;
    document: string;
    phone: string;
    contractNumber: string;
    identifier: string;
    creditCents: number;
  }[];
  drivers: readonly {
    name: string;
    phone: string;
    vehicle: string;
    plate: string;
    color: string;
    at: [number, number];
  }[];
  coupons: readonly { code: string; percent: string; generatorId: string }[];
}

interface DemoTariff {
  name: string;
  baseCents: number;
  perKmCents: string;
  perMinuteCents: string;
  perExtraStopCents: number;
  returnFactor: string;
  minimumCents: number;
  windows: readonly { days: number[]; from: string; to: string; factor: string }[];
}

const motorcycle: DemoTariff = {
  name: 'Moto padrão',
  baseCents: 500,
  perKmCents: '185',
  perMinuteCents: '12.5',
  perExtraStopCents: 250,
  returnFactor: '0.50',
  minimumCents: 900,
  windows: [],
};

const car: DemoTariff = {
  ...motorcycle,
  name: 'Carro padrão',
  baseCents: 900,
  perKmCents: '260',
  minimumCents: 1500,
};
const bicycle: DemoTariff = {
  ...motorcycle,
  name: 'Bike padrão',
  baseCents: 400,
  perKmCents: '150',
  minimumCents: 700,
};

export const demoCentrals: readonly DemoCentral[] = [
  {
    name: 'Central Demonstração',
    timeZone: 'America/Sao_Paulo',
    apiKey: 'demo-chave',
    testKey: 'teste_demo-chave',
    operator: 'central',
    managers: ['gerente', 'gerente2'],
    driverLogin: 'condutor',
    staff: [
      { username: 'supervisor', role: 'supervisor' },
      { username: 'financeiro', role: 'finance' },
      { username: 'atendente', role: 'attendant' },
      { username: 'consulta', role: 'viewer' },
    ],
    areas: [
      { name: 'Porto Alegre', isDefault: true, box: [-51.35, -30.3, -51.0, -29.9] },
      { name: 'Centro Histórico', isDefault: false, box: [-51.245, -30.04, -51.21, -30.02] },
    ],
    categories: [
      { name: 'Moto', description: 'Entregas de moto, até 10 kg', profile: 'motorcycle', tariff: motorcycle },
      { name: 'Carro', description: 'Entregas de carro, até 100 kg', profile: 'car', tariff: car },
      { name: 'Bike', description: 'Entregas de bicicleta, até 5 kg', profile: 'bicycle', tariff: bicycle },
    ],
    companies: [
      {
        name: 'Padaria Moinhos',
        document: '11222333000181',
        phone: '5133331234',
        contractNumber: 'C-1001',
        identifier: 'padaria-moinhos',
        creditCents: 50_000,
      },
      {
        name: 'Farmácia Guaíba',
        document: '12ABC34501DE35',
        phone: '5133335678',
        contractNumber: 'C-1002',
        identifier: 'farmacia-guaiba',
        creditCents: 20_000,
      },
    ],
    drivers: [
      {
        name: 'João Silva',
        phone: '51999990001',
        vehicle: 'Honda CG 160',
        plate: 'IXA1B23',
        color: 'vermelha',
        at: [-30.0312, -51.2289],
      },
      {
        name: 'Ana Souza',
        phone: '51999990002',
        vehicle: 'Yamaha Factor',
        plate: 'IXB2C34',
        color: 'preta',
        at: [-30.0377, -51.2159],
      },
      {
        name: 'Carlos Lima',
        phone: '51999990003',
        vehicle: 'Honda Biz',
        plate: 'IXC3D45',
        color: 'branca',
        at: [-30.0461, -51.2206],
      },
      {
        name: 'Beatriz Rocha',
        phone: '51999990004',
        vehicle: 'Fiat Fiorino',
        plate: 'IXD4E56',
        color: 'branca',
        at: [-30.0247, -51.2031],
      },
      {
        name: 'Diego Alves',
        phone: '51999990005',
        vehicle: 'Honda CG 160',
        plate: 'IXE5F67',
        color: 'azul',
        at: [-30.0526, -51.2333],
      },
      {
        name: 'Elisa Prado',
        phone: '51999990006',
        vehicle: 'Bicicleta',
        plate: '',
        color: 'verde',
        at: [-30.0346, -51.2105],
      },
    ],
    coupons: [{ code: 'DEMO10', percent: '10.00', generatorId: '1' }],
  },
  {
    name: 'Central Vizinha',
    timeZone: 'America/Manaus',
    apiKey: 'demo-vizinha',
    operator: 'vizinha',
    managers: [],
    areas: [{ name: 'Manaus', isDefault: true, box: [-60.15, -3.2, -59.85, -2.9] }],
    categories: [
      { name: 'Moto', description: 'Entregas de moto', profile: 'motorcycle', tariff: motorcycle },
    ],
    companies: [
      {
        name: 'Empório do Porto',
        document: '11444777000161',
        phone: '9233331234',
        contractNumber: 'V-1',
        identifier: 'emporio-do-porto',
        creditCents: 10_000,
      },
    ],
    drivers: [
      {
        name: 'Raimundo Nonato',
        phone: '92999990001',
        vehicle: 'Honda CG 160',
        plate: 'PHA1A11',
        color: 'preta',
        at: [-3.119, -60.0217],
      },
    ],
    coupons: [],
  },
];

/** The password of every login of the demonstration. */
export const DEMO_PASSWORD = 'demo';

export const demoLogin = { apiKey: 'demo-chave', username: 'central', password: DEMO_PASSWORD };

const place = (address: string, district: string, lat: number, lng: number): Address => ({
  address,
  complement: null,
  reference: null,
  district,
  city: 'Porto Alegre',
  state: 'RS',
  position: { lat, lng },
  located: null,
});

/** Pickups of the demonstration. */
export const demoPickups = {
  bakery: place('Rua Padre Chagas, 185', 'Moinhos de Vento', -30.0263, -51.2022),
  pharmacy: place('Rua dos Andradas, 1234', 'Centro Histórico', -30.0305, -51.2287),
  passerBy: place('Avenida João Pessoa, 1001', 'Cidade Baixa', -30.0401, -51.2178),
} as const;

/** Destinations: street corners in the inner districts. */
export const demoDestinations: readonly OrderedStop[] = [
  recipient(
    'Maria Oliveira',
    '51991110001',
    place('Rua da República, 320', 'Cidade Baixa', -30.0393, -51.2226),
  ),
  recipient(
    'Paulo Mendes',
    '51991110002',
    place('Avenida Osvaldo Aranha, 1022', 'Bom Fim', -30.0338, -51.2135),
  ),
  recipient(
    'Luísa Fontoura',
    '51991110003',
    place('Rua Ramiro Barcelos, 2350', 'Santa Cecília', -30.0389, -51.2066),
  ),
  recipient(
    'Tiago Barreto',
    '51991110004',
    place('Avenida Getúlio Vargas, 905', 'Menino Deus', -30.0521, -51.2217),
  ),
  recipient(
    'Helena Duarte',
    '51991110005',
    place('Rua Fernandes Vieira, 410', 'Bom Fim', -30.0322, -51.2098),
  ),
  recipient('Rafael Klein', '51991110006', place('Avenida Ipiranga, 1200', 'Azenha', -30.0489, -51.2158)),
  recipient(
    'Cecília Prates',
    '51991110007',
    place('Rua Mostardeiro, 777', 'Moinhos de Vento', -30.0273, -51.1985),
  ),
  recipient(
    'Bruno Teixeira',
    '51991110008',
    place('Avenida Protásio Alves, 2110', 'Petrópolis', -30.0402, -51.1908),
  ),
  recipient(
    'Nádia Ferraz',
    '51991110009',
    place('Rua Vicente da Fontoura, 1550', 'Rio Branco', -30.0437, -51.1989),
  ),
  recipient(
    'Otávio Reis',
    '51991110010',
    place('Avenida Borges de Medeiros, 2500', 'Praia de Belas', -30.0488, -51.2307),
  ),
  recipient(
    'Simone Vargas',
    '51991110011',
    place('Rua Coronel Bordini, 830', 'Auxiliadora', -30.0229, -51.1935),
  ),
  recipient(
    'Igor Sampaio',
    '51991110012',
    place('Avenida Bento Gonçalves, 1403', 'Partenon', -30.0582, -51.1987),
  ),
];

function recipient(name: string, phone: string, address: Address): OrderedStop {
  return {
    ...address,
    orderNumber: null,
    externalId: null,
    recipientName: name,
    recipientPhone: phone,
    note: null,
    collectCents: null,
    confirmationCode: null,
    demands: null,
  };
}
