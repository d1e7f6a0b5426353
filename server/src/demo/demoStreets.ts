import { METRES_PER_DEGREE, type Position } from '../kernel/position.ts';
import type { OpenStreets } from '../routing/streets/streetsFiles.ts';
import { type DrawnStreet, streetsInMemory } from '../routing/streets/streetsInMemory.ts';

/** A street of the demonstration: a straight line through one known door. */
export interface DemoStreet {
  name: string;
  district: string;
  /** The number of that door; another number is as many metres away. */
  number: number;
  at: Position;
  /** The direction in which numbers grow, in degrees from north. */
  heading: number;
  /** The length of the street from that door, in both directions. */
  reachMetres: number;
}

/**
 * Made by hand for the demonstration, without map data: real names, positions accurate to a few hundred metres, and no
 * bends. An import of roads or addresses replaces them.
 */
const STREETS: [
  address: string,
  district: string,
  lat: number,
  lng: number,
  heading: number,
  reachMetres: number,
][] = [
  ['Rua dos Andradas, 1001', 'Centro Histórico', -30.0305, -51.2303, 80, 900],
  ['Rua Riachuelo, 1200', 'Centro Histórico', -30.0318, -51.2295, 80, 700],
  ['Rua Duque de Caxias, 1000', 'Centro Histórico', -30.0335, -51.2305, 80, 800],
  ['Rua Voluntários da Pátria, 500', 'Centro Histórico', -30.0262, -51.2265, 60, 900],
  ['Avenida Borges de Medeiros, 2500', 'Praia de Belas', -30.0488, -51.2307, 175, 2200],
  ['Rua General Lima e Silva, 700', 'Cidade Baixa', -30.0405, -51.2215, 165, 700],
  ['Rua José do Patrocínio, 600', 'Cidade Baixa', -30.04, -51.2245, 165, 600],
  ['Rua da República, 320', 'Cidade Baixa', -30.0393, -51.2226, 100, 600],
  ['Avenida João Pessoa, 1001', 'Cidade Baixa', -30.0401, -51.2178, 150, 1100],
  ['Avenida Independência, 600', 'Independência', -30.0288, -51.216, 85, 900],
  ['Avenida Venâncio Aires, 500', 'Farroupilha', -30.04, -51.2165, 100, 800],
  ['Avenida Osvaldo Aranha, 1022', 'Bom Fim', -30.0338, -51.2135, 115, 900],
  ['Rua Fernandes Vieira, 410', 'Bom Fim', -30.0322, -51.2098, 165, 400],
  ['Rua Felipe Camarão, 500', 'Bom Fim', -30.0325, -51.208, 165, 450],
  ['Rua Vasco da Gama, 600', 'Bom Fim', -30.0313, -51.207, 100, 700],
  ['Rua Ramiro Barcelos, 2350', 'Santa Cecília', -30.0389, -51.2066, 165, 1900],
  ['Avenida Goethe, 200', 'Rio Branco', -30.0305, -51.2, 180, 600],
  ['Rua Vicente da Fontoura, 1550', 'Rio Branco', -30.0437, -51.1989, 190, 1300],
  ['Rua 24 de Outubro, 800', 'Moinhos de Vento', -30.0245, -51.2035, 75, 800],
  ['Rua Padre Chagas, 185', 'Moinhos de Vento', -30.0263, -51.2022, 100, 300],
  ['Rua Mostardeiro, 777', 'Moinhos de Vento', -30.0273, -51.1985, 100, 700],
  ['Avenida Cristóvão Colombo, 1500', 'Floresta', -30.0225, -51.211, 60, 1300],
  ['Avenida Farrapos, 1500', 'Floresta', -30.018, -51.211, 35, 1500],
  ['Rua Coronel Bordini, 830', 'Auxiliadora', -30.0229, -51.1935, 175, 700],
  ['Rua Anita Garibaldi, 700', 'Mont’Serrat', -30.027, -51.1925, 90, 700],
  ['Avenida Carlos Gomes, 500', 'Auxiliadora', -30.0245, -51.182, 200, 1000],
  ['Avenida Nilo Peçanha, 1000', 'Bela Vista', -30.0285, -51.183, 80, 1000],
  ['Avenida Protásio Alves, 2110', 'Petrópolis', -30.0402, -51.1908, 100, 1900],
  ['Rua Santana, 800', 'Santana', -30.045, -51.209, 185, 800],
  ['Avenida Ipiranga, 1200', 'Azenha', -30.0489, -51.2158, 100, 2200],
  ['Avenida da Azenha, 800', 'Azenha', -30.0515, -51.2165, 165, 800],
  ['Avenida Bento Gonçalves, 1403', 'Partenon', -30.0582, -51.1987, 105, 1800],
  ['Avenida Getúlio Vargas, 905', 'Menino Deus', -30.0521, -51.2217, 170, 900],
  ['Avenida José de Alencar, 700', 'Menino Deus', -30.055, -51.219, 110, 800],
  ['Rua Barão do Gravataí, 400', 'Menino Deus', -30.0447, -51.225, 110, 500],
];

export const demoStreets: readonly DemoStreet[] = STREETS.map(
  ([address, district, lat, lng, heading, reachMetres]) => {
    const [name = '', number = ''] = address.split(', ');
    return { name, district, number: Number(number), at: { lat, lng }, heading, reachMetres };
  },
);

/** The place some metres along the street from its known door, and some to the right of it. */
export function alongStreet({ at, heading }: DemoStreet, metres: number, aside = 0): Position {
  const direction = (heading * Math.PI) / 180;
  const north = Math.cos(direction) * metres - Math.sin(direction) * aside;
  const east = Math.sin(direction) * metres + Math.cos(direction) * aside;
  return {
    lat: at.lat + north / METRES_PER_DEGREE,
    lng: at.lng + east / (METRES_PER_DEGREE * Math.cos((at.lat * Math.PI) / 180)),
  };
}

/** A number is a metre, and there is none below 1. */
export const firstMetre = ({ number, reachMetres }: DemoStreet): number => Math.max(-reachMetres, 1 - number);

/** The same streets as lines, for maps without an import. */
export const drawnDemoStreets = (): OpenStreets =>
  streetsInMemory(
    'demonstracao',
    demoStreets.map((street): DrawnStreet => {
      const ends = [alongStreet(street, firstMetre(street)), alongStreet(street, street.reachMetres)];
      const isAvenue = street.name.startsWith('Avenida');
      return { class: isAvenue ? 'avenue' : 'street', name: street.name, line: ends };
    }),
  );
