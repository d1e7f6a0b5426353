import { MapView } from '../../../../shared/map/MapView.tsx';
import type { MapPoint, Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { cornersOf, useMapAreas, useOptions } from '../../data/registers.ts';
import { useDraftRoute } from './EstimatePanel.tsx';
import { addressLine, type OrderDraft, type PlaceDraft, positionOf } from './order.ts';
import { putPin } from './PlacePin.tsx';

/**
 * A click sets the position of the active place and activates the next place without one. Pins can be dragged. A place
 * without an address gets the address of its position.
 */
export function PlacingMap({
  draft,
  active,
  onActivate,
  onPlace,
}: {
  draft: OrderDraft;
  active: string;
  onActivate: (place: string) => void;
  /** Changes the place with this key; the change gets the current place. */
  onPlace: (key: string, change: (place: PlaceDraft) => Partial<PlaceDraft>) => void;
}) {
  const t = useWords();
  const { data: options } = useOptions();
  const { data: route } = useDraftRoute(draft);
  const areas = useMapAreas();
  const places = [{ key: 'partida', ...draft.partida }, ...draft.paradas];
  const points = places.flatMap((place, index): MapPoint[] => {
    const position = positionOf(place);
    return position
      ? [
          {
            ...position,
            id: place.key,
            shape: index === 0 ? 'pickup' : 'stop',
            letter: index === 0 ? t('C', 'P') : String(index),
            label:
              addressLine(place) || (index === 0 ? t('Coleta', 'Pickup') : `${t('Parada', 'Stop')} ${index}`),
            selected: place.key === active,
          },
        ]
      : [];
  });
  const put = (key: string, position: Position) => {
    const before = places.find((place) => place.key === key);
    if (before) void putPin(before, position, (change) => onPlace(key, change));
  };
  const click = (position: Position) => {
    put(active, position);
    const next = places.find((place) => place.key !== active && !positionOf(place));
    const wasPlaced = places.some((place) => place.key === active && positionOf(place));
    if (next && !wasPlaced) onActivate(next.key);
  };
  const index = places.findIndex(({ key }) => key === active);
  const name = index <= 0 ? t('a coleta', 'the pickup') : `${t('a parada', 'stop')} ${index}`;
  // The view changes when an address is located, but not when a pin is clicked or dragged.
  const framed = places
    .filter((place) => place.localizado && positionOf(place))
    .map((place) => place.localizado);
  return (
    <div className="placing">
      <MapView
        label={t('Mapa: clique para dar lugar', 'Map: click to give a place')}
        points={points}
        lines={route && points.length > 1 ? [{ id: 'route', line: route.linha }] : []}
        areas={areas}
        around={points.length > 0 ? points : cornersOf(options?.limites)}
        aroundKey={framed.length > 0 ? framed.join('|') : 'area'}
        onClick={click}
        onSelect={onActivate}
        onMove={put}
      />
      <p className="hint">
        {t('Clique no mapa para marcar ', 'Click on the map to mark ')}
        <strong>{name}</strong>.
        {points.length > 0 && t(' Os pontos podem ser arrastados.', ' Pins can be dragged.')}
      </p>
    </div>
  );
}
