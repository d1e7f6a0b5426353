import type { Figures, Side } from '../../data/scheduled.ts';
import { formatKm, formatMoney } from '../../formats.ts';
import { useLanguage, useWords } from '../../words.ts';

/** Apart and together, side by side, and what it saves. */
export function BeforeAfter({ before, after }: { before: Figures | Side; after: Figures | Side }) {
  const t = useWords();
  const language = useLanguage();
  const whole = (value: number) => String(value);
  const minutes = (value: number) => `${value} min`;
  const km = (value: number) => formatKm(value, language);
  const rows: [what: string, before: number, after: number, format: (value: number) => string][] = [
    ...('viagens' in before && 'viagens' in after
      ? ([
          [t('Viagens', 'Trips'), before.viagens, after.viagens, whole],
          [t('Paradas', 'Stops'), before.paradas, after.paradas, whole],
        ] as [string, number, number, (value: number) => string][])
      : []),
    [t('Distância', 'Distance'), before.km, after.km, km],
    [t('Tempo', 'Time'), before.minutos, after.minutos, minutes],
    [t('Valor', 'Price'), Number(before.valor), Number(after.valor), formatMoney],
  ];
  return (
    <table className="before-after">
      <caption className="unseen">{t('Antes e depois do agrupamento', 'Before and after grouping')}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('Antes', 'Before')}</th>
          <th scope="col">{t('Depois', 'After')}</th>
          <th scope="col">{t('Diferença', 'Difference')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, one, other, format]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{format(one)}</td>
            <td>{format(other)}</td>
            <td>{difference(one, other, format)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function difference(before: number, after: number, format: (value: number) => string): string {
  const by = Math.round((after - before) * 100) / 100;
  if (by === 0) return '=';
  return `${by < 0 ? '−' : '+'}${format(Math.abs(by))}`;
}
