import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useMemo, useState } from 'react';

interface Shown {
  element: ReactNode;
  /** Where it was opened. */
  page: string;
  /** What it was opened from is no longer on the page. */
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

/** Whether what this dialog was opened from has left the page meanwhile. */
export const useIsLeft = (): boolean => use(LeftContext);

let lastKey = 0;

/**
 * A dialog that stays when what it was opened from leaves the page: the row of something that a colleague took care of,
 * or a button of a status that has passed. Nothing that is typed disappears; the dialog says that something changed, and
 * the server has the last word. As long as its owner is there the dialog follows it.
 */
export function Lasting({
  onClose,
  children,
}: {
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}) {
  const outlet = use(OutletContext);
  if (!outlet) throw new Error('there is no place for dialogs above');
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

/** Where such dialogs are shown. Those without an owner go with the page, whose name is `page`. */
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
