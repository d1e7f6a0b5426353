// What orders demand of a vehicle, and what vehicles carry.

export const EQUIPMENT = ['thermal_bag', 'box', 'thermal_box'] as const;
export type Equipment = (typeof EQUIPMENT)[number];

/** A thermal box is a box, and keeps food as warm as a bag. */
const SERVES: Readonly<Record<Equipment, readonly Equipment[]>> = {
  thermal_bag: ['thermal_bag'],
  box: ['box'],
  thermal_box: ['thermal_bag', 'box', 'thermal_box'],
};

/** Null: not known. */
export interface Load {
  weightGrams: number | null;
  volumeMl: number | null;
  packages: number | null;
}

/** What is not known excludes nothing. Empty equipment: it is known that there is none. */
export interface Capacity extends Load {
  equipment: readonly Equipment[] | null;
}

export interface NeededCapacity extends Load {
  /** Empty or null: nothing special. */
  equipment: readonly Equipment[] | null;
}

export const UNKNOWN_CAPACITY: Capacity = {
  weightGrams: null,
  volumeMl: null,
  packages: null,
  equipment: null,
};

/** What the equipment can be used as. */
const usesOf = (equipment: readonly Equipment[]): ReadonlySet<Equipment> =>
  new Set(equipment.flatMap((each) => SERVES[each]));

const exceeds = (needed: number | null, available: number | null): boolean =>
  needed !== null && available !== null && needed > available;

/** Whether it is known that the vehicle cannot carry this. */
export function isKnownToLack(capacity: Capacity, needed: NeededCapacity): boolean {
  if (
    exceeds(needed.weightGrams, capacity.weightGrams) ||
    exceeds(needed.volumeMl, capacity.volumeMl) ||
    exceeds(needed.packages, capacity.packages)
  )
    return true;
  if (capacity.equipment === null || !needed.equipment?.length) return false;
  const uses = usesOf(capacity.equipment);
  return needed.equipment.some((each) => !uses.has(each));
}

/** What a driver's own vehicle carries, where it is known; else what vehicles of the category carry. */
export const capacityWith = (own: Capacity | null, ofCategory: Capacity | null): Capacity => ({
  weightGrams: own?.weightGrams ?? ofCategory?.weightGrams ?? null,
  volumeMl: own?.volumeMl ?? ofCategory?.volumeMl ?? null,
  packages: own?.packages ?? ofCategory?.packages ?? null,
  equipment: own?.equipment ?? ofCategory?.equipment ?? null,
});
