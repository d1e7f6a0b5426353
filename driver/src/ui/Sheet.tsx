import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useWords } from '../../../console/src/words.ts';
import { findFocus } from './focus.ts';
import { Icon } from './Icon.tsx';
import { Unkept } from './Unkept.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  /** Where closing is a decision of its own, the choices stand below and no cross above. */
  hasCross?: boolean;
  children: ReactNode;
  /** Stays in reach of the thumb while the rest scrolls. */
  foot?: ReactNode;
}

/** The browser's own dialog over the whole screen: focus inside, the phone's back button closes it. */
export function Sheet({ title, onClose, hasCross = true, children, foot }: SheetProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // Not on the first button: on a phone its ring would only point at the wrong thing.
    heading.current!.focus();
    // While it is in the page: the browser then gives the focus back to what opened it.
    return () => element.close();
  }, []);
  useEffect(() => findFocus, []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Asked twice without a touch in between, the browser closes it unasked; whether it goes is still ours to say.
      onClose={() => {
        if (!dialog.current) return;
        dialog.current.showModal();
        onClose();
      }}
    >
      <header className="sheet-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {hasCross && (
          <button type="button" className="square" onClick={onClose} aria-label={t('Fechar', 'Close')}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div className="sheet-body">{children}</div>
      {foot && (
        <footer className="sheet-foot">
          <Unkept className="note danger" />
          {foot}
        </footer>
      )}
    </dialog>
  );
}
