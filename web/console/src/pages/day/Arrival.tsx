import { useNow } from '../../../../shared/clock.ts';
import { formatAge, formatMoment } from '../../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../../shared/words.ts';
import type { OpenDelivery } from '../../data/deliveries.ts';
import { useSession } from '../../session.tsx';

const MINUTE = 60_000;

/**
 * The expected arrival at the last stop, compared with the time that was promised with the order. The arrival is left
 * out while the delivery has no driver, and the promise if the central gives none.
 */
export function Arrival({ delivery }: { delivery: OpenDelivery }) {
  const t = useWords();
  const now = useNow();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  const clock = (at: string) => formatMoment(Date.parse(at), now, zone, language);
  const { chegada_prevista: expected, prometida_para: promised, previsao } = delivery;
  const parts: { text: string; isLate?: boolean }[] = [];
  if (expected) parts.push({ text: t(`chega ${clock(expected)}`, `arrives ${clock(expected)}`) });
  if (promised) {
    const by = t(`prometido ${clock(promised)}`, `promised ${clock(promised)}`);
    const late = Math.round((Date.parse(expected ?? promised) - Date.parse(promised)) / MINUTE);
    if (late > 0)
      parts.push({ text: `${by}, ${t(`${late} min atrasada`, `${late} min late`)}`, isLate: true });
    else if (Date.parse(promised) < now)
      parts.push({
        text: `${by}, ${t('passou ', 'passed ')}${formatAge(Date.parse(promised), now, language)}`,
        isLate: true,
      });
    else parts.push({ text: expected ? `${by}, ${t('no prazo', 'on time')}` : by });
  }
  if (Date.parse(previsao) < now)
    parts.push({
      text: `${t('etapa atrasada ', 'step overdue ')}${formatAge(Date.parse(previsao), now, language)}`,
      isLate: true,
    });
  return (
    <span className="arrival">
      {parts.map(({ text, isLate }) => (
        <span key={text} className={isLate ? 'late' : undefined}>
          {isLate && '! '}
          {text}
        </span>
      ))}
      {parts.length === 0 && <span className="soft">—</span>}
    </span>
  );
}
