import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useMemo, useState } from 'react';

interface Shown {
  element: ReactNode;
  /** The page where it was opened. */
  page: string;
  /** Its opener is no longer on the page. */
  isLeft: boolean;
}

interface Outlet {
  show: (key: number, element: ReactNode, page: string) => void;
  leave: (key: number) => void;
  remove: (key: number) => void;
}

const OutletContext = createContext<Outlet | null>(null);
const LeftContext = createContext(false);
const PageContext = createContext('');

/** Whether the opener of this dialog has left the page meanwhile. */
export const useIsLeft = (): boolean => use(LeftContext);

let lastKey = 0;

/**
 * A dialog that stays open when its opener leaves the page, such as a row that a colleague has dealt with or the button
 * of an earlier status. Typed text is not lost: the dialog says that something has changed, and the server decides.
 * While its opener is there, the dialog is rendered again with it.
 */
export function Lasting({
  onClose,
  children,
}: {
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}) {
  const outlet = use(OutletContext);
  if (!outlet) throw new Error('Lasting needs LastingDialogs above it');
  const page = use(PageContext);
  const [key] = useState(() => ++lastKey);
  const close = () => {
    outlet.remove(key);
    onClose();
  };
  const element = children(close);
  useLayoutEffect(() => outlet.show(key, element, page), [outlet, key, element, page]);
  useLayoutEffect(() => () => outlet.leave(key), [outlet, key]);
  return null;
}

/** Renders the `Lasting` dialogs. Those without an opener are closed when `page` changes. */
export function LastingDialogs({ page, children }: { page: string; children: ReactNode }) {
  const [all, setAll] = useState<ReadonlyMap<number, Shown>>(new Map());
  const change = useCallback(
    (next: (shown: Map<number, Shown>) => void) =>
      setAll((before) => {
        const copy = new Map(before);
        next(copy);
        return copy;
      }),
    [],
  );
  const outlet = useMemo<Outlet>(
    () => ({
      show: (key, element, opened) =>
        change((shown) => shown.set(key, { element, page: opened, isLeft: false })),
      leave: (key) =>
        change((shown) => {
          const entry = shown.get(key);
          if (entry) shown.set(key, { ...entry, isLeft: true });
        }),
      remove: (key) => change((shown) => shown.delete(key)),
    }),
    [change],
  );
  useLayoutEffect(
    () =>
      change((shown) => {
        for (const [key, { isLeft, page: opened }] of shown) if (isLeft && opened !== page) shown.delete(key);
      }),
    [page, change],
  );
  return (
    <OutletContext value={outlet}>
      <PageContext value={page}>{children}</PageContext>
      {[...all].map(([key, { element, isLeft }]) => (
        <LeftContext key={key} value={isLeft}>
          {element}
        </LeftContext>
      ))}
    </OutletContext>
  );
}
