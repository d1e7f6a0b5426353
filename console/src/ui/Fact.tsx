import type { ReactNode } from 'react';

/** One line of a `<dl className="facts">`; left out where there is nothing to say. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
