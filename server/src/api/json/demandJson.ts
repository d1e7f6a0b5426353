import Type from 'typebox';
import { type Demands, type JointDemands, jointDemands } from '../../deliveries/orders/demands.ts';
import type { Equipment } from '../../platform/kernel/load.ts';
import { equipmentCode } from './codes.ts';
import { fromThousandths } from './thousandths.ts';
import { flag, instant, integer, kind, type View, view } from './view.ts';

const thousandths = kind(Type.Number, fromThousandths);
const wholeMinutes = kind(Type.Integer, (seconds: number) => Math.round(seconds / 60));
export const equipment = kind(
  (options) => Type.Array(Type.Enum(Object.values(equipmentCode)), options),
  (given: readonly Equipment[]) => given.map((each) => equipmentCode[each]),
);

const loadFields = {
  peso_kg: thousandths.orNull((each: Demands | JointDemands) => each.weightGrams, 3.5),
  volume_litros: thousandths.orNull((each: Demands | JointDemands) => each.volumeMl, 20),
  pacotes: integer.orNull((each: Demands | JointDemands) => each.packages, 2),
};

const joint = view<JointDemands>()({
  pronto_em: instant.orNull((each) => each.readyAt, '2026-11-16T15:20:00Z'),
  minutos_coleta: wholeMinutes.orNull((each) => each.pickupSeconds, 5),
  equipamentos: equipment((each) => each.equipment ?? [], ['bag_termica']),
  prioridade: integer.orNull((each) => each.priority, 1),
  ...loadFields,
});

const ofStop = view<Demands>()({
  entregar_de: instant.orNull((each) => each.windowFrom, '2026-11-16T15:30:00Z'),
  entregar_ate: instant.orNull((each) => each.windowUntil, '2026-11-16T16:00:00Z'),
  janela_obrigatoria: flag((each) => each.windowIsHard, false),
  minutos_parada: wholeMinutes.orNull((each) => each.serviceSeconds, 5),
  ...loadFields,
});

interface Demanding {
  demands: Demands | null;
}

const isGiven = (demands: object): boolean =>
  Object.values(demands).some((value) => value !== null && value !== false);

/** What a view shows where there is something to show; otherwise the field is left out. */
const ifAny = <Row, Shown extends object, Part>(
  part: View<Part, undefined, typeof joint.schema | typeof ofStop.schema> & { example: Shown },
  read: (row: Row) => Part | null,
  description: string,
) => ({
  schema: Type.Optional(Type.Object(part.schema.properties, { description })),
  example: part.example,
  show(row: Row) {
    const value = read(row);
    return (value === null ? undefined : part.show(value, undefined)) as Shown;
  },
});

/** What a delivery demands at its pickup and of the driver, with the load of all its stops. */
export const demandsOfAll = <Row extends { stops: readonly Demanding[] }>() =>
  ifAny(
    joint,
    ({ stops }: Row): JointDemands | null => {
      const demands = jointDemands(stops);
      return isGiven(demands) ? demands : null;
    },
    'o que a entrega exige, com a carga de todas as paradas; ausente se nada',
  );

const STOP_FIELDS = [
  'windowFrom',
  'windowUntil',
  'serviceSeconds',
  'weightGrams',
  'volumeMl',
  'packages',
] as const;

export const demandsOfStop = <Row extends Demanding>() =>
  ifAny(
    ofStop,
    ({ demands }: Row) => (demands && STOP_FIELDS.some((field) => demands[field] !== null) ? demands : null),
    'o que a parada exige; ausente se nada',
  );
