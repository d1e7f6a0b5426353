import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { ApiError } from '../api.ts';
import { withFieldLabel } from '../fieldLabels.ts';

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

/** The server's refusal in its own words, with the labels of fields instead of their names. */
export function ErrorBox({ error }: { error: unknown }) {
  const language = useLanguage();
  if (!error) return null;
  const messages =
    error instanceof ApiError ? error.messages : [error instanceof Error ? error.message : String(error)];
  return (
    <div role="alert" className="error">
      {messages.map((message) => (
        <p key={message}>{withFieldLabel(message, language)}</p>
      ))}
    </div>
  );
}

/** Shown while something is loading. */
export function Loading() {
  const t = useWords();
  return (
    <p role="status" className="loading">
      {t('Carregando…', 'Loading…')}
    </p>
  );
}

/**
 * Renders the data of a query; before it arrives, that it is loading; after a failure, why. Data that is already shown
 * stays when a later reading fails: the frame says that it may be out of date.
 */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  children: (data: Data) => ReactNode;
}) {
  const t = useWords();
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <Loading />;
  return (
    <div>
      <ErrorBox error={query.error} />
      <button type="button" disabled={query.isFetching} onClick={() => void query.refetch()}>
        {t('Tentar novamente', 'Try again')}
      </button>
    </div>
  );
}
