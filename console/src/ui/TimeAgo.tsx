import { useNow } from '../clock.ts';
import { formatAge, formatFullMoment, formatMoment } from '../formats.ts';
import { useSession } from '../session.tsx';
import { useLanguage } from '../words.ts';

/** A moment on the central's clock, with its age beside it; `—` where there is none. */
export function TimeAgo({ at, only }: { at: string | null | undefined; only?: 'age' | 'clock' }) {
  const now = useNow();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  if (!at) return <span className="soft">—</span>;
  const then = Date.parse(at);
  const clock = formatMoment(then, now, zone, language);
  const age = formatAge(then, now, language);
  return (
    <time dateTime={at} title={formatFullMoment(then, zone, language)} className="moment">
      {only !== 'age' && clock}
      {!only && ' '}
      {only !== 'clock' && <span className={only ? undefined : 'soft'}>{age}</span>}
    </time>
  );
}
