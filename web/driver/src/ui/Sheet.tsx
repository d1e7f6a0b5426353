import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useWords } from '../../../shared/words.ts';
import { findFocus } from './focus.ts';
import { Icon } from './Icon.tsx';
import { Unkept } from './Unkept.tsx';

interface SheetProps {
  title: string;
  onClose: () => void;
  /** False where closing is itself a decision: the choices in `foot` then replace the close button. */
  hasCross?: boolean;
  children: ReactNode;
  /** Stays within reach of the thumb while the rest scrolls. */
  foot?: ReactNode;
}

const PRESSED = 'a, button, input, select, textarea';

/** A native full-screen dialog. The focus stays inside, and the phone's back button closes it. */
export function Sheet({ title, onClose, hasCross = true, children, foot }: SheetProps) {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // The heading gets the focus: a focus ring on the first button would suggest the wrong choice.
    heading.current!.focus();
    // Closed while still in the document, so that the browser returns the focus to what opened it.
    return () => element.close();
  }, []);
  useLayoutEffect(() => {
    const { scrollHeight, clientHeight } = body.current!;
    // A long text without anything to press is scrolled by the keyboard too.
    if (scrollHeight > clientHeight && !body.current!.querySelector(PRESSED)) body.current!.tabIndex = 0;
  });
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
      // A second request without a touch in between closes the dialog without asking, but `onClose` is to decide.
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
      <div ref={body} className="sheet-body">
        {children}
      </div>
      {foot && (
        <footer className="sheet-foot">
          <Unkept className="note danger" />
          {foot}
        </footer>
      )}
    </dialog>
  );
}
