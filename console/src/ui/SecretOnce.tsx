import { useWords } from '../words.ts';
import { Copy } from './Copy.tsx';
import { Dialog } from './Dialog.tsx';
import './secretOnce.css';

/** A secret that nobody can read again later. It closes by its button only, so that it is not lost by a slip. */
export function SecretOnce({
  title,
  secret,
  note,
  onClose,
}: {
  title: string;
  secret: string;
  note?: string;
  onClose: () => void;
}) {
  const t = useWords();
  return (
    <Dialog title={title} onClose={() => undefined}>
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
