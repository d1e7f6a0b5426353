import { areaOf, type Line, smooth, toTheRight } from './plane.ts';

/*
 * What is drawn by hand, in metres from the middle of the city: the skeleton of a city by a lake, with the names of
 * Porto Alegre's avenues about where they are. The streets in between are invented (traceStreets.ts).
 */

export type RoadClass = 'main' | 'avenue' | 'street' | 'lane';

export interface DrawnRoad {
  name: string;
  class: RoadClass;
  line: Line;
  /** Traffic in the direction of the line only. */
  oneWay?: boolean;
}

const CURVE_STEP = 40;

const road = (kind: RoadClass, name: string, ...line: Line): DrawnRoad => ({
  name,
  class: kind,
  line: smooth(line, CURVE_STEP),
});

/** The brook flows west into the lake. */
const BROOK: Line = [
  [3900, -1560],
  [2700, -1450],
  [1800, -1510],
  [1000, -1450],
  [200, -1490],
  [-558, -1574],
  [-1300, -1570],
  [-2050, -1490],
  [-2700, -1440],
];
export const brook: Line = smooth(BROOK, CURVE_STEP);
export const BROOK_METRES = 24;
const BANK_METRES = 28;
const [eastOfBank, westOfBank] = [3300, -1960];
const bank = brook.filter(([x]) => x < eastOfBank && x > westOfBank);

export const arteries: readonly DrawnRoad[] = [
  { name: 'Avenida Ipiranga', class: 'main', line: toTheRight(bank, BANK_METRES), oneWay: true },
  {
    name: 'Avenida Ipiranga',
    class: 'main',
    line: toTheRight(bank, -BANK_METRES).toReversed(),
    oneWay: true,
  },
  road(
    'main',
    'Avenida Borges de Medeiros',
    ...([
      [-1700, 1080],
      [-1740, 500],
      [-1810, 60],
      [-1900, -480],
      [-1965, -1000],
      [-1993, -1534],
      [-2030, -2200],
      [-1960, -2900],
      [-1800, -3600],
    ] as const),
  ),
  road(
    'main',
    'Avenida João Pessoa',
    ...([
      [-1330, 330],
      [-1120, -30],
      [-751, -567],
      [-520, -950],
      [-440, -1330],
      [-430, -1590],
    ] as const),
  ),
  road('main', 'Avenida da Azenha', [-430, -1590], [-500, -1900], [-520, -2330]),
  road('main', 'Avenida Osvaldo Aranha', [-1330, 330], [-860, 270], [-337, 133], [150, -40], [520, -170]),
  road(
    'main',
    'Avenida Protásio Alves',
    ...([
      [520, -170],
      [1080, -340],
      [1848, -578],
      [2380, -640],
      [3500, -560],
    ] as const),
  ),
  road('avenue', 'Avenida Independência', [-1330, 640], [-850, 690], [-300, 730], [330, 870]),
  road('avenue', 'Rua 24 de Outubro', [330, 870], [820, 1130], [1530, 1240], [2340, 1290]),
  road('avenue', 'Avenida Nilo Peçanha', [2340, 1290], [2900, 1180], [3450, 1240]),
  road('main', 'Avenida Farrapos', [-1330, 900], [-560, 1220], [380, 1780], [1180, 2380], [1500, 2800]),
  road(
    'avenue',
    'Avenida Cristóvão Colombo',
    ...([
      [-1330, 640],
      [-1000, 860],
      [-300, 1010],
      [390, 1300],
      [1050, 1620],
      [2000, 1830],
      [3200, 1960],
    ] as const),
  ),
  road('main', 'Avenida Mauá', [-2420, 690], [-2180, 900], [-1700, 1080], [-1330, 900]),
  road(
    'avenue',
    'Avenida Loureiro da Silva',
    [-2420, 690],
    [-2330, 300],
    [-2080, 30],
    [-1810, 60],
    [-1330, 330],
    [-1290, 480],
    [-1330, 640],
    [-1330, 900],
  ),
  road(
    'avenue',
    'Avenida Goethe',
    ...([
      [390, 1300],
      [330, 870],
      [430, 350],
      [520, -170],
    ] as const),
  ),
  road(
    'avenue',
    'Rua Silva Só',
    ...([
      [520, -170],
      [600, -800],
      [610, -1430],
      [620, -1560],
      [760, -2100],
      [1088, -2580],
    ] as const),
  ),
  road('main', 'Avenida Carlos Gomes', [2330, 1890], [2340, 1290], [2260, 700], [2330, 0], [2380, -640]),
  road(
    'main',
    'Avenida Salvador França',
    [2380, -640],
    [2420, -1100],
    [2440, -1560],
    [2500, -2100],
    [2520, -2660],
    [2440, -3400],
  ),
  road(
    'main',
    'Avenida Bento Gonçalves',
    [-520, -2330],
    [200, -2420],
    [1088, -2580],
    [1800, -2700],
    [2520, -2660],
    [3450, -2520],
  ),
  road('avenue', 'Avenida Getúlio Vargas', [-1240, -1480], [-1215, -1640], [-1126, -1901], [-1060, -2390]),
  road('avenue', 'Avenida José de Alencar', [-2030, -2200], [-1500, -2350], [-1060, -2390], [-520, -2330]),
  road('avenue', 'Avenida Cavalhada', [-1060, -2390], [-980, -2900], [-1040, -3600]),
  road('avenue', 'Avenida Teresópolis', [-520, -2330], [-300, -2800], [60, -3250], [120, -3700]),
  road('avenue', 'Rua Aparício Borges', [1088, -2580], [1200, -3050], [1500, -3600]),
  road('avenue', 'Avenida Venâncio Aires', [-751, -567], [-330, -440], [-60, -180], [150, -40]),
  road('avenue', 'Rua Vicente da Fontoura', [1080, -340], [1069, -967], [1060, -1425], [1055, -1560]),
  road('avenue', 'Rua Doutor Flores da Cunha', [1530, 1240], [1480, 700], [1560, 80], [1600, -500]),
  road(
    'avenue',
    'Avenida Beira-Lago',
    ...([
      [-2080, 30],
      [-2140, -500],
      [-2240, -1000],
      [-2260, -1470],
      [-2300, -2000],
      [-2280, -2600],
      [-1960, -2900],
    ] as const),
  ),
  road('street', 'Rua dos Andradas', [-2350, 560], [-1954, 503], [-1800, 498], [-1290, 480]),
  road('street', 'Rua Riachuelo', [-2300, 420], [-1900, 385], [-1360, 360]),
  road('street', 'Rua Duque de Caxias', [-2200, 250], [-1850, 235], [-1480, 225]),
  road('street', 'Rua da República', [-1900, -430], [-1213, -478], [-800, -500]),
  road('street', 'Rua General Lima e Silva', [-1480, 225], [-1330, -150], [-1130, -800], [-960, -1530]),
  road('street', 'Rua Fernandes Vieira', [90, 780], [19, 311], [-10, 20]),
  road('street', 'Rua Ramiro Barcelos', [200, 830], [240, 300], [310, -110], [327, -434], [350, -1430]),
  road('street', 'Rua Vasco da Gama', [-560, 520], [-100, 455], [289, 411], [425, 395]),
  road('street', 'Rua Padre Chagas', [420, 1010], [751, 967], [1120, 985]),
  road('street', 'Rua Mostardeiro', [330, 760], [700, 850], [1107, 856], [1490, 800]),
  road('street', 'Rua Coronel Bordini', [1700, 1780], [1588, 1345], [1530, 1240]),
];

/** Counter-clockwise: the shore of the city from south to north, then around the lake. */
export const lake: Line = smooth(
  [
    [-2900, -6000],
    [-2500, -4600],
    [-2150, -3900],
    [-2250, -3300],
    [-2440, -2700],
    [-2420, -2000],
    [-2380, -1450],
    [-2370, -950],
    [-2260, -480],
    [-2260, -60],
    [-2480, 200],
    [-2620, 620],
    [-2330, 980],
    [-1720, 1200],
    [-1330, 1060],
    [-700, 1420],
    [200, 1960],
    [980, 2600],
    [1300, 3200],
    [1900, 4600],
    [1700, 6200],
    [-300, 8300],
    [-4200, 8600],
    [-7800, 6400],
    [-9600, 2600],
    [-9400, -2200],
    [-7900, -6600],
    [-5200, -9000],
    [-3400, -8000],
    [-2900, -6000],
  ],
  CURVE_STEP,
);

export interface Park {
  name: string;
  ring: Line;
  /** The street around it. */
  around?: string;
}

const park = (name: string, around: string | undefined, ...ring: Line): Park => ({
  name,
  ring: smooth([...ring, ring[0]!], CURVE_STEP).slice(1),
  ...(around !== undefined && { around }),
});

export const parks: readonly Park[] = [
  {
    name: 'Parque Farroupilha',
    ring: [
      [-1085, 270],
      [-860, 245],
      [-340, 108],
      [105, -48],
      [-85, -205],
      [-340, -415],
      [-725, -535],
      [-1100, -20],
      [-1230, 200],
    ],
  },
  park(
    'Parque Moinhos de Vento',
    'Rua Comendador Caminha',
    [480, 880],
    [470, 560],
    [800, 520],
    [900, 700],
    [760, 830],
  ),
  park(
    'Jardim Botânico',
    'Rua do Jardim Botânico',
    [1450, -1000],
    [2080, -960],
    [2150, -1300],
    [1850, -1420],
    [1420, -1380],
  ),
  park(
    'Parque Marinha',
    undefined,
    [-2180, -520],
    [-2010, -560],
    [-2030, -1380],
    [-2220, -1390],
    [-2210, -1000],
  ),
  park('Parque Germânia', 'Alameda do Parque', [2750, 300], [3150, 380], [3180, 750], [2800, 800]),
  park('Morro Santana', 'Rua do Mirante', [2900, -1750], [3300, -1700], [3350, -2250], [2950, -2300]),
  park('Morro da Polícia', 'Estrada do Morro', [450, -3050], [950, -3000], [1020, -3500], [420, -3550]),
  park(
    'Parque do Sul',
    'Alameda das Figueiras',
    [-1850, -3050],
    [-1400, -3000],
    [-1350, -3350],
    [-1700, -3400],
  ),
];

const AROUND_METRES = 14;

/** The streets around parks. */
export const ringRoads: readonly DrawnRoad[] = parks.flatMap(({ ring, around }) => {
  if (around === undefined) return [];
  const closed = [...ring, ring[0]!];
  return [
    {
      name: around,
      class: 'street',
      line: toTheRight(closed, areaOf(ring) > 0 ? AROUND_METRES : -AROUND_METRES),
    },
  ];
});

/** Where the city ends. */
export const edge: Line = smooth(
  [
    [-2700, -3150],
    [-1900, -3450],
    [-1000, -3500],
    [100, -3650],
    [1500, -3450],
    [2500, -3300],
    [3250, -2700],
    [3400, -1500],
    [3450, -300],
    [3350, 900],
    [3250, 1900],
    [2500, 2250],
    [1600, 2650],
    [900, 3000],
    [-1000, 2200],
    [-3200, 1500],
    [-3200, -1000],
    [-2700, -3150],
  ],
  CURVE_STEP,
);
