import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../words.ts';
import { Dialog } from './Dialog.tsx';
import { ErrorBox } from './Loaded.tsx';

interface ConfirmProps {
  title: string;
  /** What will happen, in a sentence. */
  what: ReactNode;
  /** What the button says: the act itself, never "OK". */
  act: string;
  danger?: boolean;
  /** The act, done by the server in one request; the dialog stays open and says why when it is refused. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Fields that the act needs. */
  children?: ReactNode;
}

/** Asks once, and says what will happen. */
export function Confirm({ title, what, act, danger = false, onConfirm, onClose, children }: ConfirmProps) {
  const t = useWords();
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    // A form around the button that asked must not take this for its own.
    event.stopPropagation();
    doing.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={confirm}>
        <p>{what}</p>
        {children}
        <ErrorBox error={doing.error} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            {t('Voltar', 'Go back')}
          </button>
          <button type="submit" className={danger ? 'danger' : 'primary'} disabled={doing.isPending}>
            {doing.isPending ? t('Um momento…', 'One moment…') : act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A button behind which a question is asked first. */
export function ConfirmButton({
  label,
  className,
  ...confirm
}: Omit<ConfirmProps, 'onClose'> & { label: string; className?: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className={className ?? (confirm.danger ? 'danger' : undefined)}
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
      {asking && <Confirm {...confirm} onClose={() => setAsking(false)} />}
    </>
  );
}
