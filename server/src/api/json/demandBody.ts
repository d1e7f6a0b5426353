import Type, { type Static } from 'typebox';
import { type Demands, NO_DEMANDS, orNone } from '../../deliveries/orders/demands.ts';
import type { Equipment } from '../../platform/kernel/load.ts';
import { formatted, parseInstant } from '../http/formats.ts';
import type { Check } from '../http/validation.ts';
import { equipmentByCode, equipmentCode } from './codes.ts';
import { checkThousandths, toThousandths } from './thousandths.ts';
import { nullable } from './values.ts';

const PRIORITY_MAX = 3;
const MINUTES_MAX = 240;
const WEIGHT_KG_MAX = 10_000;
const VOLUME_LITRES_MAX = 100_000;
const PACKAGES_MAX = 10_000;

const instant = (description: string) => Type.Optional(nullable(formatted('instant', description)));
const minutes = (description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MINUTES_MAX, description })));

/** Contract 4.33: what an order demands at its pickup and of the driver. */
const OrderDemands = Type.Object({
  pronto_em: instant('quando tudo está pronto na partida; ISO 8601 com fuso'),
  minutos_coleta: minutes('quanto o entregador demora na partida; sem ele, o de costume'),
  equipamentos: Type.Optional(
    nullable(
      Type.Array(Type.Enum(Object.values(equipmentCode)), {
        maxItems: Object.keys(equipmentCode).length,
        uniqueItems: true,
        description: 'de que o entregador precisa; um baú térmico serve também de baú e de bag térmica',
      }),
    ),
  ),
  prioridade: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: PRIORITY_MAX, description: '0 é a normal' })),
  ),
});

const windowCheck: Check = ({ entregar_de, entregar_ate, janela_obrigatoria }) => {
  const [from, until] = [entregar_de, entregar_ate].map(toInstant);
  if (from && until && Temporal.Instant.compare(from, until) >= 0)
    return [{ field: 'entregar_ate', pt: 'deve ser depois de entregar_de', en: 'must be after entregar_de' }];
  return janela_obrigatoria === true && entregar_de == null && entregar_ate == null
    ? [
        {
          field: 'janela_obrigatoria',
          pt: 'só com entregar_de ou entregar_ate',
          en: 'only with entregar_de or entregar_ate',
        },
      ]
    : [];
};

const thousandthsCheck = checkThousandths('peso_kg', 'volume_litros');

/** Contract 4.33: what a stop demands. */
const StopDemands = Type.Object(
  {
    entregar_de: instant('ninguém recebe antes; ISO 8601 com fuso'),
    entregar_ate: instant('prometido ao destinatário, no lugar da previsão da central; ISO 8601 com fuso'),
    janela_obrigatoria: Type.Optional(
      nullable(Type.Boolean({ description: 'fora de entregar_de e entregar_ate ninguém recebe' })),
    ),
    minutos_parada: minutes('quanto o entregador demora na parada; sem ele, o de costume'),
    peso_kg: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: WEIGHT_KG_MAX }))),
    volume_litros: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: VOLUME_LITRES_MAX }))),
    pacotes: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: PACKAGES_MAX }))),
  },
  { check: (values: Parameters<Check>[0]) => [...windowCheck(values), ...thousandthsCheck(values)] },
);

export const orderDemandsField = Type.Optional(OrderDemands);
export const stopDemandsField = Type.Optional(StopDemands);

export type OrderDemandsInput = Static<typeof OrderDemands> | undefined;
export type StopDemandsInput = Static<typeof StopDemands> | undefined;

/** PostgreSQL keeps less than nanoseconds, and nobody promises parts of a second. */
const toInstant = (sent: unknown): Temporal.Instant | null => {
  const instant = typeof sent === 'string' ? parseInstant(sent) : null;
  return instant?.round({ smallestUnit: 'second', roundingMode: 'trunc' }) ?? null;
};

const toSeconds = (sent: number | null | undefined): number | null => (sent == null ? null : 60 * sent);
const orNull = (sent: number | null | undefined): number | null =>
  sent == null ? null : toThousandths(sent);

export type OrderPart = Pick<Demands, 'readyAt' | 'pickupSeconds' | 'equipment' | 'priority'>;
export type StopPart = Omit<Demands, keyof OrderPart>;

export function parseOrderDemands(sent: OrderDemandsInput): OrderPart {
  const equipment: Equipment[] = (sent?.equipamentos ?? []).map((code) => equipmentByCode[code]);
  return {
    readyAt: toInstant(sent?.pronto_em),
    pickupSeconds: toSeconds(sent?.minutos_coleta),
    equipment: equipment.length > 0 ? equipment : null,
    priority: sent?.prioridade ?? null,
  };
}

export const parseStopDemands = (sent: StopDemandsInput): StopPart => ({
  windowFrom: toInstant(sent?.entregar_de),
  windowUntil: toInstant(sent?.entregar_ate),
  windowIsHard: sent?.janela_obrigatoria ?? false,
  serviceSeconds: toSeconds(sent?.minutos_parada),
  weightGrams: orNull(sent?.peso_kg),
  volumeMl: orNull(sent?.volume_litros),
  packages: sent?.pacotes ?? null,
});

/** What a stop demands together with its order; null where neither demands anything. */
export const parseDemands = (order: OrderDemandsInput, stop: StopDemandsInput): Demands | null =>
  order || stop ? orNone({ ...NO_DEMANDS, ...parseOrderDemands(order), ...parseStopDemands(stop) }) : null;
