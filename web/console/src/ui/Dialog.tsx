import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useWords } from '../../../shared/words.ts';
import { type ActionOptions, useAction } from '../form.ts';
import { Icon } from './Icon.tsx';
import { Lasting, useIsLeft } from './Lasting.tsx';
import { ErrorBox } from './Loaded.tsx';

/**
 * A modal dialog, shown while it is rendered. The browser keeps the focus inside and returns it to the opener
 * afterwards; if that is gone, keepFocus.ts finds a place. Escape and the button in the corner close the dialog, unless
 * `onClose` is null.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: (() => void) | null;
  wide?: boolean;
  children: ReactNode;
}) {
  const t = useWords();
  const id = useId();
  const isLeft = useIsLeft();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // Rendered outside the page, because it may be opened within a form and contains a form itself.
  return createPortal(
    <dialog
      ref={element}
      aria-labelledby={id}
      className={wide ? 'wide' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // After several Escapes in a row, the browser closes it without asking.
      onClose={() => {
        if (!onClose) element.current?.showModal();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" className="icon" onClick={onClose} aria-label={t('Fechar', 'Close')}>
            ×
          </button>
        )}
      </header>
      {isLeft && (
        <p className="banner" role="status">
          {t(
            'Isto mudou enquanto a janela estava aberta. Confira antes de continuar.',
            'This changed while the window was open. Check before you go on.',
          )}
        </p>
      )}
      {children}
    </dialog>,
    document.body,
  );
}

interface ConfirmProps<Result> extends Pick<ActionOptions<void, Result>, 'done' | 'refresh' | 'leave'> {
  title: string;
  /** What will happen, in a sentence. */
  what: ReactNode;
  /** The label of the button: the action itself, never "OK". */
  act: string;
  danger?: boolean;
  /** Performs the action in one request to the server. If it is refused, the dialog stays open and says why. */
  onConfirm: () => Promise<Result>;
  onClose: () => void;
  /** The input fields of the action. */
  children?: ReactNode;
}

/** The browser focuses this when it opens the dialog, so that Enter confirms. React sets no such attribute. */
const focusFirst = (button: HTMLButtonElement | null): void => button?.setAttribute('autofocus', '');

/** Asks for confirmation and says what will happen. */
export function Confirm<Result>({
  title,
  what,
  act,
  danger = false,
  onConfirm,
  onClose,
  done,
  refresh,
  leave,
  children,
}: ConfirmProps<Result>) {
  const t = useWords();
  const doing = useAction<void, Result>(onConfirm, {
    done,
    refresh,
    leave: (result) => {
      onClose();
      leave?.(result);
    },
  });
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    // Must not reach a form that contains the button that opened the dialog.
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
          <button
            ref={children ? undefined : focusFirst}
            type="submit"
            className={danger ? 'danger' : 'primary'}
            disabled={doing.isPending}
          >
            {doing.isPending ? t('Um momento…', 'One moment…') : act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A button that asks for confirmation. */
export function ConfirmButton<Result>({
  label,
  className,
  ...confirm
}: Omit<ConfirmProps<Result>, 'onClose'> & { label: string; className?: string }) {
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
      {asking && (
        <Lasting onClose={() => setAsking(false)}>
          {(close) => <Confirm {...confirm} onClose={close} />}
        </Lasting>
      )}
    </>
  );
}

/** The list of the keyboard shortcuts. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const keys: [keys: readonly string[], what: string][] = [
    [['j', 'down'], t('próxima da lista', 'next in the list')],
    [['k', 'up'], t('anterior da lista', 'previous in the list')],
    [['Enter'], t('abrir a selecionada', 'open the selected one')],
    [['/'], t('buscar em tudo', 'search everything')],
    [['f'], t('filtrar a lista', 'filter the list')],
    [['a'], t('dar a selecionada a um entregador (O dia)', 'give the selected one to a driver (The day)')],
    [['p'], t('próximo que precisa de você (O dia)', 'next that needs you (The day)')],
    [['r'], t('fazer a primeira ação dele (O dia)', 'do its first action (The day)')],
    [['b'], t('quadro ou colunas (O dia)', 'board or columns (The day)')],
    [['x'], t('marcar a selecionada (quadro)', 'mark the selected one (board)')],
    [['Shift', 'down'], t('marcar até a próxima (quadro)', 'mark up to the next one (board)')],
    [['e'], t('marcar toda a loja dela (quadro)', 'mark all of its shop (board)')],
    [['d'], t('distribuir as marcadas (quadro)', 'distribute the marked ones (board)')],
    [['n'], t('nova entrega', 'new delivery')],
    [['Esc'], t('fechar, ou limpar a seleção', 'close, or clear the selection')],
    [['?'], t('esta ajuda', 'this help')],
  ];
  return (
    <Dialog title={t('Atalhos do teclado', 'Keyboard shortcuts')} onClose={onClose}>
      <dl className="help">
        {keys.map(([names, what]) => (
          <KeyRow key={what} names={names} what={what} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ names, what }: { names: readonly string[]; what: string }) {
  const t = useWords();
  return (
    <>
      <dt>
        {names.map((name) => (
          <kbd key={name}>
            {name === 'up' || name === 'down' ? (
              <>
                <Icon shape={name} />
                <span className="unseen">
                  {name === 'up' ? t('seta para cima', 'arrow up') : t('seta para baixo', 'arrow down')}
                </span>
              </>
            ) : (
              name
            )}
          </kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
