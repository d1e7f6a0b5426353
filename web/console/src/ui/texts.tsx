import type { ReactNode } from 'react';
import { ROLE_LABELS } from '../../../../server/src/api/json/labels.ts';
import { useNow } from '../../../shared/clock.ts';
import { formatAge, formatFullMoment, formatMoment, formatMoney } from '../../../shared/formats.ts';
import { copyText } from '../../../shared/insecure.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { Authored } from '../data/deliveries.ts';
import { useSession } from '../session.tsx';
import { Dialog } from './Dialog.tsx';
import { toast } from './Toasts.tsx';

/** Shown if there is no value. A card on a phone leaves the line out. */
export const Nothing = () => <span className="soft nothing">—</span>;

/** `value` as the interfaces send it: "12.34" or 12.34. */
export function Money({ value }: { value: string | number | null | undefined }) {
  if (value === null || value === undefined || value === '') return <Nothing />;
  return <span className="number">{formatMoney(value)}</span>;
}

/** A moment on the central's clock, with its age beside it; `—` if there is none. */
export function TimeAgo({ at, only }: { at: string | null | undefined; only?: 'age' | 'clock' }) {
  const now = useNow();
  const language = useLanguage();
  const { fuso_horario: zone } = useSession().central;
  if (!at) return <Nothing />;
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

/** One line of a `<dl className="facts">`; left out if it is empty. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The author of an event. A user whose name the reader may not know is shown by role only. Offers have no author. */
export function AuthorName({ of: { autor } }: { of: Partial<Authored> }) {
  const t = useWords();
  if (autor === undefined) return null;
  const role = autor && t(ROLE_LABELS[autor.perfil].pt, ROLE_LABELS[autor.perfil].en);
  return (
    <span className="soft">
      ·{' '}
      <span className="author">
        {role ? [role, autor?.nome].filter(Boolean).join(' ') : t('serviço', 'service')}
      </span>
    </span>
  );
}

/** Copies a text to the clipboard, and reports success or the browser's refusal. */
export function useCopy(): (text: string, done?: string) => Promise<void> {
  const t = useWords();
  return async (text, done = t('Copiado.', 'Copied.')) => {
    try {
      await copyText(text);
      toast(done);
    } catch {
      toast(
        t(
          'O navegador não deixou copiar. Selecione o texto e copie.',
          'The browser did not allow copying. Select the text and copy it.',
        ),
        'failed',
      );
    }
  };
}

export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useWords();
  const copy = useCopy();
  return (
    <button type="button" onClick={() => void copy(text)}>
      {label ?? t('Copiar', 'Copy')}
    </button>
  );
}

/**
 * A secret that is shown once. Only its button closes the dialog, so that it is not lost by accident. `secret` is null
 * if the answer that contained it was lost: the repeated request is answered without it.
 */
export function SecretOnce({
  title,
  secret,
  note,
  remedy,
  onClose,
}: {
  title: string;
  secret: string | null;
  note?: string;
  /** What to do if `secret` is null. */
  remedy: string;
  onClose: () => void;
}) {
  const t = useWords();
  if (secret === null)
    return (
      <Dialog title={title} onClose={onClose}>
        <p>
          {t(
            'Foi criado, mas a rede caiu antes que pudesse ser mostrado, e agora ninguém mais pode vê-lo.',
            'It was created, but the network failed before it could be shown, and nobody can see it any more.',
          )}
        </p>
        <p>{remedy}</p>
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={null}>
      <p>
        {t(
          'Copie e guarde agora: não será mostrado novamente.',
          'Copy it and keep it now: it will not be shown again.',
        )}
      </p>
      <p className="secret">
        <code>{secret}</code>
      </p>
      {note && <p className="soft">{note}</p>}
      <div className="dialog-actions">
        <Copy text={secret} />
        <button type="button" className="primary" onClick={onClose}>
          {t('Já guardei', 'I have kept it')}
        </button>
      </div>
    </Dialog>
  );
}

const labels: Readonly<Record<string, { pt: string; en: string }>> = {
  bandeirada: { pt: 'Bandeirada', en: 'Base fare' },
  distancia: { pt: 'Distância', en: 'Distance' },
  tempo: { pt: 'Tempo', en: 'Time' },
  paradas_extras: { pt: 'Paradas extras', en: 'Extra stops' },
  retorno: { pt: 'Retorno', en: 'Way back' },
  horario: { pt: 'Horário', en: 'Time of day' },
  minimo: { pt: 'Até o mínimo', en: 'Up to the minimum' },
  cupom: { pt: 'Cupom', en: 'Coupon' },
};

/** The components of a price, as rows of a table. */
export function PriceLines({ lines }: { lines: readonly { tipo: string; valor: string }[] }) {
  const t = useWords();
  return lines.map(({ tipo, valor }) => (
    <tr key={tipo}>
      <th scope="row">{t(labels[tipo]?.pt ?? tipo, labels[tipo]?.en ?? tipo)}</th>
      <td className="figures">
        <Money value={valor} />
      </td>
    </tr>
  ));
}
