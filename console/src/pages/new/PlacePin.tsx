import { reverseAddress } from '../../data/addresses.ts';
import { cornersOf, useOptions } from '../../data/registers.ts';
import { MapView } from '../../ui/map/MapView.tsx';
import type { Position } from '../../ui/map/mapPoint.ts';
import { useWords } from '../../words.ts';
import { addressLine, BY_HAND, fromFound, type PlaceDraft, positionOf } from './order.ts';

/** Changes are made to what the place is by then: an address is found while one types on. */
export type ChangePlace = (change: (place: PlaceDraft) => Partial<PlaceDraft>) => void;

/** Puts the pin of a place there by hand. A place without an address gets the one that is there. */
export async function putPin(before: PlaceDraft, position: Position, onPlace: ChangePlace): Promise<void> {
  const where = { lat: position.lat.toFixed(6), lng: position.lng.toFixed(6) };
  onPlace((place) => ({
    ...where,
    precisao: BY_HAND,
    // Where the address is known to be elsewhere, this is a correction.
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

/** The map of one place: a click or a dragged pin says where it is. */
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
  /** Shown while the place has no position; otherwise where the central works. */
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
        // Framed again when an address is found, and not when somebody clicks or drags the pin.
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
