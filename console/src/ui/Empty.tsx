import type { ReactNode } from 'react';

/** Says what will appear here, and how to make it appear. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <div>{children}</div>}
    </div>
  );
}
