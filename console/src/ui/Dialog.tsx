import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useWords } from '../words.ts';
import './dialog.css';

/**
 * A window over the page; the browser keeps the focus inside and gives it back afterwards. Shown while it is
 * rendered; Escape and the corner's button close it.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const t = useWords();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // Apart from the page, since one may be asked from within a form and holds a form itself.
  return createPortal(
    <dialog
      ref={element}
      aria-labelledby={id}
      className={wide ? 'wide' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon" onClick={onClose} aria-label={t('Fechar', 'Close')}>
          ×
        </button>
      </header>
      {children}
    </dialog>,
    document.body,
  );
}
