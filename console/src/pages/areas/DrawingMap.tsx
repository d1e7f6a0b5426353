import type { Marker } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'react';
import type { Area } from '../../data/registers.ts';
import { type MapArea, MapView } from '../../ui/map/MapView.tsx';
import type { OpenedMap } from '../../ui/map/mapModule.ts';
import type { Position } from '../../ui/map/mapPoint.ts';
import { useWords } from '../../words.ts';
import { activeRing, addPoint, type Drawing, movePoint, shapeOf } from './drawing.ts';

/** More handles than that hide the area; such shapes come from a file, and are mended there. */
export const HANDLES_MAX = 150;

/** The areas, and the one that is drawn, with a handle for each point of its active ring. */
export function DrawingMap({
  areas,
  drawing,
  onDraw,
  around,
  aroundKey,
}: {
  areas: readonly Area[];
  drawing: Drawing | null;
  onDraw: (change: (before: Drawing) => Drawing) => void;
  around: readonly Position[];
  aroundKey: string;
}) {
  const t = useWords();
  const [opened, setOpened] = useState<OpenedMap | null>(null);
  const ring = drawing ? activeRing(drawing) : [];
  useHandles(opened, ring.length <= HANDLES_MAX ? ring : [], {
    label: (index) => t(`Ponto ${index + 1}`, `Point ${index + 1}`),
    onMove: (index, point) => onDraw((before) => movePoint(before, index, point)),
    onPress: (index) => index === 0 && ring.length > 2 && onDraw((before) => ({ ...before, isClosed: true })),
  });

  const shown: MapArea[] = areas.map(({ id, nome, geometria }) => ({
    id: String(id),
    name: nome,
    shape: geometria,
  }));
  const drawn = drawing && shapeOf(drawing);
  if (drawn?.coordinates.length) shown.push({ id: 'drawn', name: '', shape: drawn });
  // Two points enclose nothing yet, but should be seen.
  const open = drawing && !drawing.isClosed && ring.length > 1;
  return (
    <MapView
      label={t('Mapa das áreas de atuação', 'Map of operating areas')}
      areas={shown}
      lines={open ? [{ id: 'open', line: ring.map(({ lat, lng }) => [lng, lat] as const) }] : []}
      around={around}
      aroundKey={aroundKey}
      onClick={(point) => drawing && onDraw((before) => addPoint(before, point))}
      onReady={(ready) => {
        setOpened(ready);
        return () => setOpened(null);
      }}
    />
  );
}

interface Handling {
  label: (index: number) => string;
  onMove: (index: number, point: Position) => void;
  onPress: (index: number) => void;
}

/** One draggable marker for each point, the same markers for as long as there are as many. */
function useHandles(opened: OpenedMap | null, ring: readonly Position[], handling: Handling): void {
  const latest = useRef(handling);
  latest.current = handling;
  const points = useRef(ring);
  points.current = ring;
  const markers = useRef<Marker[]>([]);
  const count = ring.length;

  useEffect(() => {
    if (!opened) return;
    const made = Array.from({ length: count }, (_, index) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.className = 'area-handle';
      element.tabIndex = -1;
      element.textContent = String(index + 1);
      element.setAttribute('aria-label', latest.current.label(index));
      const marker = new opened.maplibre.Marker({ element, draggable: true });
      const { lat, lng } = points.current[index]!;
      marker.setLngLat([lng, lat]).addTo(opened.map);
      marker.on('dragend', () => {
        const at = marker.getLngLat();
        latest.current.onMove(index, { lat: at.lat, lng: at.lng });
      });
      element.addEventListener('click', (event) => {
        event.stopPropagation();
        latest.current.onPress(index);
      });
      return marker;
    });
    markers.current = made;
    return () => {
      for (const marker of made) marker.remove();
    };
  }, [opened, count]);

  useEffect(() => {
    for (const [index, { lat, lng }] of ring.entries()) markers.current[index]?.setLngLat([lng, lat]);
  }, [ring]);
}
