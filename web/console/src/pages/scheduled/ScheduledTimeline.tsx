import { type DragEvent, useEffect, useRef, useState } from 'react';
import { counted, formatMoment } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import type { Scheduled } from '../../data/scheduled.ts';
import { useSession } from '../../session.tsx';

const HOUR_MS = 3_600_000;

export interface Placed {
  entry: Scheduled;
  /** The distance from the lane's left edge, in pixels. */
  left: number;
  /** Entries at nearly the same time are in different rows. */
  row: number;
}

export interface Lane {
  key: string;
  name: string;
  rows: number;
  placed: Placed[];
}

export interface ScheduledList {
  lanes: Lane[];
  ticks: { at: number; left: number }[];
}

const TICKS_MAX = 12;
const HOURS_MIN = 2;

/** Places the entries on one lane for each company, along an axis of whole hours that includes every dispatch. */
function placeOnLanes(
  entries: readonly Scheduled[],
  width: number,
  chipWidth: number,
  nobody: string,
): ScheduledList {
  const times = entries.map(({ disparo_em }) => Date.parse(disparo_em));
  const start = Math.floor(Math.min(...times) / HOUR_MS) * HOUR_MS;
  const hours = Math.max(HOURS_MIN, Math.ceil((Math.max(...times) - start + 1) / HOUR_MS));
  const span = Math.max(1, width - chipWidth);
  const leftOf = (at: number) => ((at - start) / (hours * HOUR_MS)) * span;

  const lanes = Map.groupBy(entries, ({ empresa }) => empresa?.id ?? '');
  const step = Math.ceil(hours / TICKS_MAX);
  return {
    lanes: [...lanes]
      .map(([key, some]) => toLane(key, some[0]?.empresa?.nome ?? nobody, some, leftOf, chipWidth))
      .toSorted((each, other) => each.name.localeCompare(other.name)),
    ticks: Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) => {
      const at = start + index * step * HOUR_MS;
      return { at, left: leftOf(at) };
    }),
  };
}

function toLane(
  key: string,
  name: string,
  entries: readonly Scheduled[],
  leftOf: (at: number) => number,
  chipWidth: number,
): Lane {
  const ends: number[] = [];
  const placed = entries
    .toSorted((entry, other) => Date.parse(entry.disparo_em) - Date.parse(other.disparo_em))
    .map((entry) => {
      const left = leftOf(Date.parse(entry.disparo_em));
      const free = ends.findIndex((end) => end <= left);
      const row = free === -1 ? ends.length : free;
      ends[row] = left + chipWidth + 4;
      return { entry, left, row };
    });
  return { key, name, rows: ends.length, placed };
}

/** The state of dragging a scheduled delivery onto another one (`over`), into which it would be grouped. */
export interface Dragging {
  dragged: string | null;
  over: string | null;
  /** The properties of an element that shows a scheduled delivery, for dragging it and for dropping on it. */
  handles(id: string): {
    draggable: true;
    onDragStart: (event: DragEvent) => void;
    onDragEnd: () => void;
    onDragEnter: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

export function useDragging(onDropped: (dragged: string, onto: string) => void): Dragging {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const beginning = useRef<number>(undefined);
  const end = () => {
    clearTimeout(beginning.current);
    setDragged(null);
    setOver(null);
  };
  return {
    dragged,
    over,
    handles: (id) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'link';
        event.dataTransfer.setData('text/plain', id);
        // Chromium ends a drag at once if its element changes before the drag has begun.
        beginning.current = window.setTimeout(setDragged, 0, id);
      },
      onDragEnd: end,
      onDragEnter: (event) => {
        if (dragged === null || dragged === id) return;
        event.preventDefault();
        setOver(id);
      },
      onDragOver: (event) => {
        if (dragged !== null && dragged !== id) event.preventDefault();
      },
      onDragLeave: (event) => {
        const entered = event.relatedTarget;
        if (entered instanceof Node && event.currentTarget.contains(entered)) return;
        setOver((now) => (now === id ? null : now));
      },
      onDrop: (event) => {
        event.preventDefault();
        if (dragged !== null && dragged !== id) onDropped(dragged, id);
        end();
      },
    }),
  };
}

const CHIP_WIDTH = 136;
const WIDTH_MIN = 560;
/** Rows are higher on phones and touch screens; see scheduled.css. */
const inRows = (rows: number): string => `calc(var(--row) * ${rows})`;

/** The day's scheduled deliveries by dispatch, a lane for each company. A click chooses one, dragging groups two. */
export function ScheduledTimeline({
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
  const timeline = placeOnLanes(
    entries,
    Math.max(WIDTH_MIN, width),
    CHIP_WIDTH,
    t('Particulares', 'Private customers'),
  );
  return (
    <section
      className="timeline"
      data-steady
      aria-label={t('Linha do tempo das saídas', 'Timeline of dispatches')}
    >
      <div ref={element} className="timeline-ground" style={{ minWidth: WIDTH_MIN }}>
        <div className="timeline-hours" aria-hidden="true">
          {timeline.ticks.map(({ at, left }) => (
            <span key={at} style={{ left }}>
              {clock(at)}
            </span>
          ))}
        </div>
        {timeline.lanes.map((lane) => (
          <div key={lane.key} className="lane">
            <h3>{lane.name}</h3>
            <ul style={{ height: inRows(lane.rows) }}>
              {lane.placed.map(({ entry, left, row }) => {
                const id = entry.id_mch_programada;
                const place = chosen.indexOf(id);
                return (
                  <li key={id} style={{ left, top: inRows(row), width: CHIP_WIDTH }}>
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
                        title={t(
                          counted(entry.paradas.length, 'parada', 'paradas'),
                          counted(entry.paradas.length, 'stop', 'stops'),
                        )}
                      >
                        {entry.paradas.length} <span aria-hidden="true">{t('par.', 'st.')}</span>
                        <span className="unseen">
                          {entry.paradas.length === 1 ? t('parada', 'stop') : t('paradas', 'stops')}
                        </span>
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
