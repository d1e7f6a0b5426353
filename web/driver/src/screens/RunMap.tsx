import { useMemo, useState } from 'react';
import { MapView } from '../../../shared/map/MapView.tsx';
import { useWords } from '../../../shared/words.ts';
import type { Point } from '../core/geometry.ts';
import type { LocalRun } from '../core/localView.ts';
import { Icon } from '../ui/Icon.tsx';

const SHOWN = 'malote.entregador.mapa';

/** The map is loaded when it is opened, because it is larger than the rest of the app. */
export function RunMap({ run, here }: { run: LocalRun; here: Point | null }) {
  const t = useWords();
  const [isShown, setShown] = useState(() => localStorage.getItem(SHOWN) === '1');
  const toggle = (): void => {
    localStorage.setItem(SHOWN, isShown ? '0' : '1');
    setShown(!isShown);
  };
  const { coleta, paradas } = run;
  const places = useMemo(() => [coleta, ...paradas], [coleta, paradas]);
  const points = useMemo(
    () => [
      {
        id: 'pickup',
        shape: 'pickup' as const,
        letter: t('C', 'P'),
        label: t('Coleta', 'Pickup'),
        lat: coleta.lat,
        lng: coleta.lng,
      },
      ...paradas.map(({ id, lat, lng, endereco, situacao }, index) => ({
        ...{ id, lat, lng, shape: 'stop' as const, letter: String(index + 1), label: endereco },
        tone: 'a',
        faded: situacao !== 'pendente',
      })),
      ...(here
        ? [
            {
              id: 'here',
              shape: 'driver' as const,
              letter: '●',
              label: t('Você', 'You'),
              tone: 'e',
              lat: here.lat,
              lng: here.lng,
            },
          ]
        : []),
    ],
    [coleta, paradas, here, t],
  );
  return (
    <section className="run-map">
      <button type="button" aria-expanded={isShown} onClick={toggle}>
        <Icon name="map" />
        {isShown ? t('Esconder o mapa', 'Hide the map') : t('Ver o mapa', 'Show the map')}
      </button>
      {isShown && (
        <MapView
          label={t('Mapa da corrida', 'Map of the run')}
          points={points}
          around={here ? [...places, here] : places}
          aroundKey={`${run.id_mch} ${paradas.length}`}
        />
      )}
    </section>
  );
}
