import { fromLocalInputs, localInputs } from '../../../../shared/formats.ts';
import type { Body } from '../../api.ts';
import type { DeliveryDetail, DetailStop } from '../../data/deliveries.ts';

/** A time of day, and the moment that it was before editing. */
interface TimeDraft {
  time: string;
  /** Kept while the time stays as it was, because it may be of another day. */
  was?: string;
}

export interface OrderDemandsDraft {
  pronto_em: TimeDraft;
  minutos_coleta: string;
  equipamentos: string[];
  prioridade: string;
}

export interface StopDemandsDraft {
  entregar_de: TimeDraft;
  entregar_ate: TimeDraft;
  janela_obrigatoria: boolean;
  minutos_parada: string;
  peso_kg: string;
  volume_litros: string;
  pacotes: string;
}

const NO_TIME: TimeDraft = { time: '' };

export const noOrderDemands: OrderDemandsDraft = {
  pronto_em: NO_TIME,
  minutos_coleta: '',
  equipamentos: [],
  prioridade: '',
};

export const noStopDemands: StopDemandsDraft = {
  entregar_de: NO_TIME,
  entregar_ate: NO_TIME,
  janela_obrigatoria: false,
  minutos_parada: '',
  peso_kg: '',
  volume_litros: '',
  pacotes: '',
};

const text = (value: number | null): string => (value === null ? '' : String(value));

const timeOf = (at: string | null, zone: string): TimeDraft =>
  at === null ? NO_TIME : { time: localInputs(Date.parse(at), zone).time, was: at };

export const orderDemandsOf = (
  given: DeliveryDetail['exigencias'],
  zone: string,
): OrderDemandsDraft | undefined =>
  given && {
    pronto_em: timeOf(given.pronto_em, zone),
    minutos_coleta: text(given.minutos_coleta),
    equipamentos: [...given.equipamentos],
    prioridade: text(given.prioridade),
  };

export const stopDemandsOf = (given: DetailStop['exigencias'], zone: string): StopDemandsDraft | undefined =>
  given && {
    entregar_de: timeOf(given.entregar_de, zone),
    entregar_ate: timeOf(given.entregar_ate, zone),
    janela_obrigatoria: given.janela_obrigatoria,
    minutos_parada: text(given.minutos_parada),
    peso_kg: text(given.peso_kg),
    volume_litros: text(given.volume_litros),
    pacotes: text(given.pacotes),
  };

/** The clock by which times of day are read, and the moment at which the order sets off. */
export interface DemandClock {
  zone: string;
  setsOffAt: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A time shortly before the order sets off has just passed; an earlier one is of the next day. */
const PASSED_MAX = 6 * HOUR;

/** The moment of a time of day, near the moment at which the order sets off. Another text is left to the server. */
function momentOf({ time, was }: TimeDraft, { zone, setsOffAt }: DemandClock): string | null {
  if (time.trim() === '') return null;
  if (was && localInputs(Date.parse(was), zone).time === time) return was;
  const days = [-DAY, 0, DAY].map((shift) =>
    fromLocalInputs(localInputs(setsOffAt + shift, zone).date, time, zone),
  );
  const moment = days.find((each) => each !== null && each >= setsOffAt - PASSED_MAX);
  return moment ? new Date(moment).toISOString() : time;
}

/** A number, or the text as it was typed, for the server to refuse. */
const numberOf = (typed: string): number | null => {
  const value = typed.trim();
  return value === '' ? null : Number.isFinite(Number(value)) ? Number(value) : (value as unknown as number);
};

type Order = Body<'integracao', 'POST /entregas'>;
type SentOrderDemands = NonNullable<Order['exigencias']>;
type SentStopDemands = NonNullable<Order['paradas'][number]['exigencias']>;

const given = <Sent extends object>(sent: Sent): Sent | undefined => {
  const fields = Object.entries(sent).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return fields.length > 0 ? (Object.fromEntries(fields) as Sent) : undefined;
};

/** What is sent; nothing where nothing is demanded. */
export const toOrderDemands = (
  draft: OrderDemandsDraft | undefined,
  clock: DemandClock,
): { exigencias?: SentOrderDemands } => {
  const exigencias =
    draft &&
    given<SentOrderDemands>({
      pronto_em: momentOf(draft.pronto_em, clock),
      minutos_coleta: numberOf(draft.minutos_coleta),
      equipamentos: draft.equipamentos as NonNullable<SentOrderDemands['equipamentos']>,
      prioridade: numberOf(draft.prioridade),
    });
  return exigencias ? { exigencias } : {};
};

export const toStopDemands = (
  draft: StopDemandsDraft | undefined,
  clock: DemandClock,
): { exigencias?: SentStopDemands } => {
  const exigencias =
    draft &&
    given<SentStopDemands>({
      entregar_de: momentOf(draft.entregar_de, clock),
      entregar_ate: momentOf(draft.entregar_ate, clock),
      janela_obrigatoria: draft.janela_obrigatoria,
      minutos_parada: numberOf(draft.minutos_parada),
      peso_kg: numberOf(draft.peso_kg),
      volume_litros: numberOf(draft.volume_litros),
      pacotes: numberOf(draft.pacotes),
    });
  return exigencias ? { exigencias } : {};
};
