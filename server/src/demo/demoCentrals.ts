import type { Profile } from '../routing/router.ts';

export interface DemoCentral {
  name: string;
  timeZone: string;
  apiKey: string;
  operator: string;
  /** One login for each company. */
  managers: readonly string[];
  driverLogin?: string;
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
    operator: 'central',
    managers: ['gerente', 'gerente2'],
    driverLogin: 'condutor',
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
