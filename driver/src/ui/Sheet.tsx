import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../../../console/src/words.ts';
import { Icon } from './Icon.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays in reach of the thumb while the rest scrolls. */
  foot?: ReactNode;
}

/** The browser's own dialog over the whole screen: focus inside, the phone's back button closes it. */
export function Sheet({ title, onClose, children, foot }: SheetProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="sheet-head">
        <h2>{title}</h2>
        <button type="button" className="square" onClick={onClose} aria-label={t('Fechar', 'Close')}>
          <Icon name="close" />
        </button>
      </header>
      <div className="sheet-body">{children}</div>
      {foot && <footer className="sheet-foot">{foot}</footer>}
    </dialog>
  );
}
