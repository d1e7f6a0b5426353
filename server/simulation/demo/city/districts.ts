import { distance, type Point } from './plane.ts';

export interface District {
  name: string;
  at: readonly [number, number];
  /** The direction of its streets, in degrees from east. */
  heading: number;
  /** How far its streets bend from that direction, in degrees. */
  crooked: number;
  blockMetres: number;
  /** The share of its streets that have one direction. */
  oneWay: number;
}

const district = (
  name: string,
  x: number,
  y: number,
  heading: number,
  crooked: number,
  blockMetres: number,
  oneWay = 0.25,
): District => ({ name, at: [x, y], heading, crooked, blockMetres, oneWay });

export const districts: readonly District[] = [
  district('Centro Histórico', -1850, 520, 2, 2, 88, 0.9),
  district('Cidade Baixa', -1350, -620, 80, 8, 104, 0.7),
  district('Praia de Belas', -2000, -1450, 86, 3, 120, 0.4),
  district('Menino Deus', -1450, -2050, 82, 6, 112, 0.5),
  district('Bom Fim', -200, 420, -12, 4, 106, 0.8),
  district('Independência', -700, 880, 12, 6, 104, 0.5),
  district('Floresta', -150, 1380, 32, 4, 112, 0.5),
  district('São João', 1050, 2150, 38, 5, 118),
  district('Moinhos de Vento', 850, 930, 8, 8, 104, 0.5),
  district('Auxiliadora', 1600, 1500, 14, 6, 108, 0.4),
  district('Higienópolis', 1050, 1400, 30, 6, 110, 0.3),
  district('Rio Branco', 900, 120, -14, 12, 106, 0.4),
  district('Santa Cecília', 350, -520, -6, 6, 104, 0.5),
  district('Santana', -150, -950, -8, 8, 106, 0.5),
  district('Mont’Serrat', 1900, 950, 4, 14, 108),
  district('Bela Vista', 1950, 200, 10, 18, 110),
  district('Petrópolis', 1650, -620, -12, 20, 112),
  district('Boa Vista', 2850, 1650, 8, 14, 122),
  district('Três Figueiras', 2900, 550, 20, 26, 126),
  district('Chácara das Pedras', 2900, -150, -10, 28, 126),
  district('Jardim Botânico', 2000, -1200, 0, 16, 118),
  district('Bom Jesus', 2950, -1050, 14, 34, 96, 0.1),
  district('Azenha', -650, -1950, 84, 8, 108, 0.4),
  district('Partenon', 1000, -2150, -6, 14, 112),
  district('Santo Antônio', 200, -2050, 78, 14, 110),
  district('Medianeira', -250, -2700, 68, 24, 112),
  district('Glória', 700, -2900, 40, 34, 100, 0.1),
  district('Teresópolis', -500, -3200, 80, 28, 112, 0.1),
  district('Cristal', -1700, -2700, 86, 14, 118),
  district('São José', 1800, -3000, 30, 36, 96, 0.1),
  district('Intercap', 2900, -2500, 10, 22, 114),
  district('Vila João Pessoa', 1700, -2150, -4, 24, 104),
];

/** That of the nearest middle. */
export function districtAt(point: Point): District {
  let nearest = districts[0]!;
  for (const each of districts) if (distance(each.at, point) < distance(nearest.at, point)) nearest = each;
  return nearest;
}
