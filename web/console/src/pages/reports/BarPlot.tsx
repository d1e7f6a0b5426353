import { useId, useState } from 'react';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import { formatValue, type Measure } from './measures.ts';

export interface Bar {
  key: string;
  /** Shown under the bar if there is space. */
  label: string;
  /** The full name, shown with the value and in the table. */
  name: string;
  value: number | null;
}

interface BarPlotProps {
  title: string;
  bars: readonly Bar[];
  unit: Measure['unit'];
}

const HEIGHT = 150;
const TOP = 18;
const BOTTOM = 20;
const FLOOR = HEIGHT - BOTTOM;
/** The maximum number of bars with their values, and of names below the bars. */
const LABELLED_MAX = 8;
const NAMED_MAX = 12;

/** The smallest round number that is not less than `value`. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/**
 * Bars from zero, drawn with widths in percent, so that text keeps its size on every screen. The pointer and the arrow
 * keys choose a bar, whose value is shown above; all values are in the table below.
 */
export function BarPlot({ title, bars, unit }: BarPlotProps) {
  const t = useWords();
  const language = useLanguage();
  const titleId = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const largest = Math.max(0, ...bars.map(({ value }) => value ?? 0));
  const ceiling = unit === 'percent' ? 100 : largest > 0 ? roundUp(largest) : 1;
  const write = (value: number | null) => formatValue(value, unit, language);
  const bar = chosen === null ? undefined : bars[chosen];
  const step = 100 / Math.max(1, bars.length);
  const yOf = (value: number) => FLOOR - ((FLOOR - TOP) * Math.max(0, value)) / ceiling;
  const every = Math.ceil(bars.length / NAMED_MAX);
  const move = (to: number) => setChosen(Math.min(bars.length - 1, Math.max(0, to)));
  const keys: Record<string, () => void> = {
    ArrowRight: () => move((chosen ?? -1) + 1),
    ArrowLeft: () => move((chosen ?? bars.length) - 1),
    Home: () => move(0),
    End: () => move(bars.length - 1),
    Escape: () => setChosen(null),
  };
  return (
    <figure className="plot">
      <figcaption>
        <h3 id={titleId}>{title}</h3>
        <span className="plot-value">{bar ? `${bar.name}: ${write(bar.value)}` : '\u00a0'}</span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-labelledby={titleId}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={chosen ?? 0}
        aria-valuetext={
          bar
            ? `${bar.name}: ${write(bar.value)}`
            : t('Use as setas para ler cada valor', 'Use the arrow keys to read each value')
        }
        className="plot-area"
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
        onBlur={() => setChosen(null)}
        onPointerLeave={() => setChosen(null)}
      >
        <svg height={HEIGHT} aria-hidden="true">
          {(unit === 'count' && ceiling % 2 ? [ceiling] : [ceiling, ceiling / 2]).map((value) => (
            <g key={value}>
              <line x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} className="plot-grid" />
              <text x="100%" dx={6} y={yOf(value) + 4} className="plot-scale">
                {write(value)}
              </text>
            </g>
          ))}
          {bars.map(({ key, label, value }, index) => (
            <g key={key} onPointerEnter={() => setChosen(index)}>
              <rect x={`${index * step}%`} y={0} width={`${step}%`} height={FLOOR} fill="transparent" />
              <rect
                x={`${(index + 0.14) * step}%`}
                width={`${step * 0.72}%`}
                y={yOf(value ?? 0)}
                height={FLOOR - yOf(value ?? 0)}
                className={index === chosen ? 'plot-bar chosen' : 'plot-bar'}
              />
              {bars.length <= LABELLED_MAX && value !== null && value > 0 && (
                <text
                  x={`${(index + 0.5) * step}%`}
                  y={yOf(value) - 4}
                  textAnchor="middle"
                  className="plot-label"
                >
                  {write(value)}
                </text>
              )}
              {index % every === 0 && (
                <text x={`${(index + 0.5) * step}%`} y={HEIGHT - 5} textAnchor="middle" className="plot-name">
                  {label}
                </text>
              )}
            </g>
          ))}
          <line x1="0" x2="100%" y1={FLOOR} y2={FLOOR} className="plot-floor" />
        </svg>
      </div>
      <details>
        <summary>{t('Ver em tabela', 'See as a table')}</summary>
        <div className="plot-table">
          <table aria-label={title}>
            <tbody>
              {bars.map(({ key, name, value }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <td className="figures">{write(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
