import { useEffect, useRef, useState } from 'react';
import type { Scheduled } from '../../data/scheduled.ts';
import { formatMoment } from '../../formats.ts';
import { useSession } from '../../session.tsx';
import { useLanguage, useWords } from '../../words.ts';
import type { Dragging } from './dragging.ts';
import { placeOnLanes } from './lanes.ts';

const CHIP_WIDTH = 136;
const ROW_HEIGHT = 34;
const WIDTH_MIN = 560;

/** The day's scheduled deliveries by dispatch, a lane for each company. A press chooses one, dragging groups two. */
export function Timeline({
  entries,
  chosen,
  onToggle,
  dragging,
}: {
  entries: readonly Scheduled[];
  chosen: readonly string[];
  onToggle: (id: string) => void;
  dragging: Dragging;
}) {
  const t = useWords();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  const [element, width] = useWidth();
  const clock = (at: number) => formatMoment(at, at, zone, language);
  const board = placeOnLanes(
    entries,
    Math.max(WIDTH_MIN, width),
    CHIP_WIDTH,
    t('Particulares', 'Private customers'),
  );
  return (
    <section className="timeline" aria-label={t('Linha do tempo dos disparos', 'Timeline of dispatches')}>
      <div ref={element} className="timeline-ground" style={{ minWidth: WIDTH_MIN }}>
        <div className="timeline-hours" aria-hidden="true">
          {board.ticks.map(({ at, left }) => (
            <span key={at} style={{ left }}>
              {clock(at)}
            </span>
          ))}
        </div>
        {board.lanes.map((lane) => (
          <div key={lane.key} className="lane">
            <h3>{lane.name}</h3>
            <ul style={{ height: lane.rows * ROW_HEIGHT }}>
              {lane.placed.map(({ entry, left, row }) => {
                const id = entry.id_mch_programada;
                const place = chosen.indexOf(id);
                return (
                  <li key={id} style={{ left, top: row * ROW_HEIGHT, width: CHIP_WIDTH }}>
                    <button
                      type="button"
                      {...dragging.handles(id)}
                      aria-pressed={place !== -1}
                      className={[
                        'chip',
                        place === 0 && 'grouper',
                        dragging.dragged === id && 'dragged',
                        dragging.over === id && 'over',
                      ]
                        .filter(Boolean)
                        .join(' ')}
                      onClick={() => onToggle(id)}
                    >
                      <strong>{clock(Date.parse(entry.disparo_em))}</strong> #{id}{' '}
                      <span
                        className="stops"
                        title={t(`${entry.paradas.length} paradas`, `${entry.paradas.length} stops`)}
                      >
                        {entry.paradas.length} <span aria-hidden="true">{t('par.', 'st.')}</span>
                        <span className="unseen">{t('paradas', 'stops')}</span>
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH_MIN);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? WIDTH_MIN));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
