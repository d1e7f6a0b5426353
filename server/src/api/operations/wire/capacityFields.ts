import Type, { type Static } from 'typebox';
import type { Capacity } from '../../../platform/kernel/load.ts';
import { equipmentByCode, equipmentCode } from '../../json/codes.ts';
import { equipment } from '../../json/demandJson.ts';
import { checkThousandths, fromThousandths, toThousandths } from '../../json/thousandths.ts';
import { nullable } from '../../json/values.ts';
import { integer, kind, view } from '../../json/view.ts';

const WEIGHT_KG_MAX = 100_000;
const VOLUME_LITRES_MAX = 1_000_000;
const PACKAGES_MAX = 100_000;

const UNKNOWN = 'nulo ou ausente: não se sabe, e nada deixa de ser oferecido por isso';

const body = Type.Object(
  {
    peso_kg: Type.Optional(
      nullable(Type.Number({ minimum: 0.001, maximum: WEIGHT_KG_MAX, description: UNKNOWN })),
    ),
    volume_litros: Type.Optional(
      nullable(Type.Number({ minimum: 0.001, maximum: VOLUME_LITRES_MAX, description: UNKNOWN })),
    ),
    pacotes: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: PACKAGES_MAX, description: UNKNOWN })),
    ),
    equipamentos: Type.Optional(
      nullable(
        Type.Array(Type.Enum(Object.values(equipmentCode)), {
          maxItems: Object.keys(equipmentCode).length,
          uniqueItems: true,
          description:
            'lista vazia: não tem nenhum; nulo ou ausente: não se sabe. Um baú térmico serve também de baú e de bag térmica',
        }),
      ),
    ),
  },
  { check: checkThousandths('peso_kg', 'volume_litros') },
);

/** What a vehicle carries, in the body of a register. Absent: what is known stays. */
export const capacityBody = (description: string) =>
  Type.Optional(nullable(Type.Object(body.properties, { ...body, description })));

/** Undefined: not given. Null: given, and nothing is known. */
export function parseCapacity(sent: Static<typeof body> | null | undefined): Capacity | null | undefined {
  if (!sent) return undefined;
  const capacity: Capacity = {
    weightGrams: sent.peso_kg == null ? null : toThousandths(sent.peso_kg),
    volumeMl: sent.volume_litros == null ? null : toThousandths(sent.volume_litros),
    packages: sent.pacotes ?? null,
    equipment: sent.equipamentos?.map((each) => equipmentByCode[each]) ?? null,
  };
  return Object.values(capacity).every((value) => value === null) ? null : capacity;
}

const thousandths = kind(Type.Number, fromThousandths);
const capacity = view<Capacity>()({
  peso_kg: thousandths.orNull((each) => each.weightGrams, 25),
  volume_litros: thousandths.orNull((each) => each.volumeMl, 45),
  pacotes: integer.orNull((each) => each.packages, 6),
  equipamentos: equipment.orNull((each) => each.equipment, ['bau_termico']),
});

/** Left out where nothing is known. */
export const capacityIfKnown = <Row extends { capacity?: Capacity | null | undefined }>(
  description: string,
) => ({
  schema: Type.Optional(Type.Object(capacity.schema.properties, { description })),
  example: capacity.example,
  show: (row: Row) =>
    (row.capacity ? capacity.show(row.capacity, undefined) : undefined) as typeof capacity.example,
});
