import { MapView } from '../../../../shared/map/MapView.tsx';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { reverseAddress } from '../../data/addresses.ts';
import { cornersOf, useOptions } from '../../data/registers.ts';
import { addressLine, BY_HAND, fromFound, type PlaceDraft, positionOf } from './order.ts';

/** The change gets the current place, because addresses are located while typing continues. */
export type ChangePlace = (change: (place: PlaceDraft) => Partial<PlaceDraft>) => void;

/** Sets the pin of a place by hand. A place without an address gets the address of that position. */
export async function putPin(before: PlaceDraft, position: Position, onPlace: ChangePlace): Promise<void> {
  const where = { lat: position.lat.toFixed(6), lng: position.lng.toFixed(6) };
  onPlace((place) => ({
    ...where,
    precisao: BY_HAND,
    // With an address, this corrects the position of the address.
    corrigido: addressLine(place) !== '',
  }));
  if (addressLine(before) !== '') return;
  const found = await reverseAddress(position);
  if (!found?.rua) return;
  onPlace((place) =>
    addressLine(place) === ''
      ? { ...fromFound(found, place), ...where, precisao: BY_HAND, localizado: '' }
      : {},
  );
}

/** The map of one place, whose position is set by a click or by dragging the pin. */
export function PlacePin({
  place,
  letter,
  isPickup = false,
  near,
  onPlace,
}: {
  place: PlaceDraft;
  letter: string;
  isPickup?: boolean;
  /** The view while the place has no position; by default the areas of the central. */
  near?: Position | undefined;
  onPlace: ChangePlace;
}) {
  const t = useWords();
  const { data: options } = useOptions();
  const position = positionOf(place);
  const put = (to: Position) => void putPin(place, to, onPlace);
  return (
    <div className="placing place-pin">
      <MapView
        label={t('Mapa: clique para dar lugar', 'Map: click to give a place')}
        points={
          position
            ? [
                {
                  ...position,
                  id: 'place',
                  shape: isPickup ? 'pickup' : 'stop',
                  letter,
                  label: addressLine(place) || t('Ponto', 'Pin'),
                  selected: true,
                },
              ]
            : []
        }
        around={position ? [position] : near ? [near] : cornersOf(options?.limites)}
        // The view changes when an address is located, but not when the pin is clicked or dragged.
        aroundKey={place.localizado && position ? place.localizado : 'area'}
        onClick={put}
        onMove={(_, to) => put(to)}
      />
      <p className="hint">
        {t(
          'Clique no mapa ou arraste o ponto até a porta.',
          'Click on the map, or drag the pin to the door.',
        )}
      </p>
    </div>
  );
}
