import type { CourierDeps } from '../../server/simulation/couriers/courier.ts';
import { newMemory } from '../../server/simulation/couriers/memory.ts';
import { couriersTick } from '../../server/simulation/couriers/moveCouriers.ts';
import { parseScript, SIMULATED_ABSENCE, SIMULATED_OVERRIDE } from '../../server/src/api/json/orderBody.ts';
import { haversineMetres, type Position } from '../../server/src/platform/kernel/position.ts';
import { randomFrom } from '../../server/src/platform/kernel/random.ts';
import type { TestMalote } from './malote.ts';
import { order } from './orders.ts';
import { distributeOnce } from './rounds.ts';
import { assertOk } from './steps.ts';

export interface Followed {
  /** The letters of contract 4.16, in the order in which they appeared. */
  letters: string;
  /** The driver's positions, one per second while a driver is assigned. */
  positions: Position[];
  seconds: number;
}

export interface Simulation {
  /** A separate courier process with its own memory. The first one always runs. */
  courierProcess(changes?: Partial<CourierDeps>): () => Promise<void>;
  /** Advances the clock by one second, distributes deliveries and moves the couriers. */
  second(): Promise<void>;
  pass(seconds: number): Promise<void>;
  /** Polls a delivery by HTTP until it reaches one of the letters, or for the given time. */
  follow(id: number, options?: { until?: string; seconds?: number }): Promise<Followed>;
}

const courierDeps = (malote: TestMalote): CourierDeps => ({
  ...malote.app.deps,
  readScript: parseScript,
  lockedStopReason: SIMULATED_OVERRIDE,
  failureNote: SIMULATED_ABSENCE,
  log: {
    error: (details) => {
      throw new Error('a courier failed', { cause: details });
    },
  },
});

/** Simulates time second by second, without waiting. */
export function simulation(malote: TestMalote): Simulation {
  const deps = courierDeps(malote);
  const courierProcess = (changes: Partial<CourierDeps> = {}) => {
    const memory = newMemory();
    return () => couriersTick({ ...deps, ...changes }, memory);
  };
  const tick = courierProcess();
  const second = async () => {
    malote.clock.advance({ seconds: 1 });
    await distributeOnce(malote.app.deps);
    await tick();
  };
  return {
    courierProcess,
    second,
    async pass(seconds) {
      for (let count = 0; count < seconds; count += 1) await second();
    },
    async follow(id, { until = 'FNC', seconds = 1_500 } = {}) {
      const followed: Followed = { letters: '', positions: [], seconds: 0 };
      const follow = async () => {
        const { status } = assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data;
        if (!followed.letters.endsWith(status)) followed.letters += status;
        const { body } = assertOk(await malote.central.get(`/entregas/${id}/condutor/posicao`));
        const { lat_condutor: lat, lng_condutor: lng } = body.data;
        if (lat !== null) followed.positions.push({ lat: Number(lat), lng: Number(lng) });
        return until.includes(status);
      };
      while (!(await follow()) && followed.seconds < seconds) {
        await second();
        followed.seconds += 1;
      }
      return followed;
    },
  };
}

/** The longest distance between two successive positions, in metres. */
export const longestJump = (positions: readonly Position[]): number =>
  Math.max(0, ...positions.slice(1).map((position, index) => haversineMetres(positions[index]!, position)));

/** In addition to the demonstration's two. */
const MORE_COMPANIES = [
  { nome: 'Floricultura Ipê', cpf_cnpj: '529.982.247-25' },
  { nome: 'Livraria do Arco', cpf_cnpj: '111.444.777-35' },
  { nome: 'Mercado Azenha', cpf_cnpj: '390.533.447-05' },
];
const IDENTIFICATIONS = [
  ['J', '11222333000181'],
  ['J', '12ABC34501DE35'],
  ...MORE_COMPANIES.map(({ cpf_cnpj }) => ['F', cpf_cnpj] as const),
] as const;
const PICKUPS = [
  { lat: -30.0263, lng: -51.2022 },
  { lat: -30.0305, lng: -51.2287 },
  { lat: -30.0389, lng: -51.2066 },
  { lat: -30.0489, lng: -51.2158 },
  { lat: -30.0521, lng: -51.2217 },
];
const SCRIPTS = ['recusa', 'sem-condutor', 'desistencia', 'pane', 'ausente'];

/** How far deliveries and couriers are spread over the city, in degrees. */
const SPREAD = 0.03;

/** The orders by the scheduled delivery's id: the instant and the stops, as the interface returned them. */
export type Ordered = Map<number, { at: Temporal.Instant; stopIds: number[] }>;

const around = (random: () => number, { lat, lng }: Position) => ({
  lat: (lat + (random() - 0.5) * SPREAD).toFixed(5),
  lng: (lng + (random() - 0.5) * SPREAD).toFixed(5),
});

/** Five companies with credit, created through the public interfaces. */
async function fiveCompanies(malote: TestMalote): Promise<number[]> {
  const companies = [1, 2];
  for (const company of MORE_COMPANIES) {
    const body = { ...company, categoria_padrao_id: 1 };
    companies.push(Number(assertOk(await malote.operator.post('/empresas', body)).body.data.id));
  }
  for (const [tipo_identificacao, identificacao] of IDENTIFICATIONS)
    assertOk(
      await malote.central.post('/entregas/empresas/creditos/recargas', {
        valor: 5000,
        observacao: 'abertura',
        empresa: { tipo_identificacao, identificacao },
      }),
    );
  return companies;
}

/** Adds simulated couriers all over the city, until there are `count` drivers. */
export async function couriers(malote: TestMalote, count: number, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const { data } = assertOk(await malote.operator.get('/condutores?limite=100')).body;
  for (let number = data.length; number < count; number += 1) {
    const body = { nome: `Robô ${number}`, telefone: '51988887777', categorias: [1], simulado: true };
    const { id } = assertOk(await malote.operator.post('/condutores', body)).body.data;
    const { lat, lng } = around(random, PICKUPS[number % PICKUPS.length]!);
    assertOk(await malote.operator.post(`/condutores/${id}/posicao`, { lat: Number(lat), lng: Number(lng) }));
    assertOk(await malote.operator.post(`/condutores/${id}/disponibilidade`, { disponivel: true }));
  }
}

/** Schedules `count` deliveries over an hour that begins ten minutes from now. */
export async function scheduleHour(malote: TestMalote, count: number, seed: number): Promise<Ordered> {
  const random = randomFrom(seed);
  const companies = await fiveCompanies(malote);
  const instants = new Map<number, Temporal.Instant>();
  for (let number = 0; number < count; number += 1) {
    const company = number % companies.length;
    const at = malote.clock.now().add({ seconds: 600 + Math.floor(random() * 3_600) });
    const local = at.toZonedDateTimeISO('America/Sao_Paulo');
    const stops = 1 + Math.floor(random() * 3);
    const isScripted = number % 8 === 0;
    const place = PICKUPS[company]!;
    // Each scripted delivery has a pickup of its own, so that the automatic merge does not remove its note.
    const from = isScripted ? { ...place, lat: place.lat + (number + 1) * 2e-5 } : place;
    const body = order({
      data: local.toPlainDate().toLocaleString('pt-BR'),
      hora: local.toPlainTime().toString({ smallestUnit: 'second' }),
      empresa_id: companies[company],
      forma_pagamento: ['R', 'D', 'F', 'R'][number % 4],
      com_retorno: number % 7 === 0,
      partida: {
        endereco: `Rua ${company}`,
        bairro: 'Centro',
        lat: from.lat.toFixed(5),
        lng: from.lng.toFixed(5),
      },
      paradas: Array.from({ length: stops }, (_, index) => {
        const { lat, lng } = around(random, from);
        return {
          endereco_parada: `Rua das Flores, ${number * 10 + index}`,
          bairro_parada: 'Centro',
          lat_parada: lat,
          lng_parada: lng,
        };
      }),
      ...(isScripted && { observacao: `[simular: ${SCRIPTS[(number / 8) % SCRIPTS.length]}]` }),
    });
    const { data } = assertOk(await malote.central.post('/entregas/programadas', body)).body;
    instants.set(Number(data.id_mch), at);
  }
  return readStops(malote, instants);
}

async function readStops(malote: TestMalote, instants: Map<number, Temporal.Instant>): Promise<Ordered> {
  const ordered: Ordered = new Map();
  for (let page = 1; ordered.size < instants.size; page += 1) {
    const { body } = assertOk(await malote.central.get(`/entregas/programadas?limite=100&pagina=${page}`));
    for (const { id_mch_programada: id, paradas } of body.data) {
      const stopIds = paradas.map((stop: { id: string }) => Number(stop.id));
      ordered.set(Number(id), { at: instants.get(Number(id))!, stopIds });
    }
  }
  return ordered;
}
