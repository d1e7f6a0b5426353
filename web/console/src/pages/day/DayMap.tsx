import { useNow } from '../../../../shared/clock.ts';
import { describeDeliveries, describeDrivers } from '../../../../shared/map/clusters.ts';
import { MapView } from '../../../../shared/map/MapView.tsx';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { type OpenDelivery, usePositions, useRoute } from '../../data/deliveries.ts';
import { cornersOf, useMapAreas, useOptions } from '../../data/registers.ts';
import { dayPoints, deliveryOfPoint, driverPoints, NEUTRAL_LINE, otherPoints, placesOf } from './dayView.ts';

const NONE: readonly never[] = [];

/** The drivers, the deliveries and the route of the selected one. */
export function DayMap({
  deliveries,
  selected,
  onSelect,
  filterKey,
}: {
  deliveries: readonly OpenDelivery[];
  selected: string | null;
  onSelect: (id: string | null) => void;
  filterKey: string;
}) {
  const t = useWords();
  const language = useLanguage();
  const now = useNow();
  const drivers = usePositions().data ?? NONE;
  const { data: options } = useOptions();
  const areas = useMapAreas();
  const chosen = deliveries.find(({ id }) => id === selected);
  const { data: route } = useRoute(chosen ? chosen.id : null);

  const atWork = driverPoints(deliveries, drivers, chosen?.id ?? null, now);
  const points = dayPoints(chosen, atWork);
  const otherDrivers = atWork.filter(({ selected: carriesIt }) => !carriesIt);
  const others = otherPoints(deliveries, chosen?.id ?? null, language);
  const lines = [
    ...(route && chosen ? [{ id: 'whole', line: route.rota.linha, color: NEUTRAL_LINE }] : []),
    ...(route?.restante && chosen ? [{ id: 'left', line: route.restante.linha }] : []),
  ];
  const all = [...points, ...otherDrivers, ...others];
  const around = chosen ? placesOf(chosen, drivers) : all.length ? all : cornersOf(options?.limites);
  return (
    <MapView
      label={t(
        'Mapa: entregadores, entregas e a rota da selecionada',
        'Map: drivers, deliveries and the route of the selected one',
      )}
      points={points}
      clustered={[
        {
          kind: 'delivery',
          points: others,
          describe: (count, late) => describeDeliveries(count, late, language),
        },
        { kind: 'driver', points: otherDrivers, describe: (count) => describeDrivers(count, language) },
      ]}
      lines={lines}
      areas={areas}
      around={around}
      aroundKey={chosen ? chosen.id : all.length ? filterKey : 'area'}
      onSelect={(point) => onSelect(deliveryOfPoint(point, selected))}
      onClick={() => onSelect(null)}
    />
  );
}
