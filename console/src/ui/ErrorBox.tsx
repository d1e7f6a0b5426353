import { ApiError } from '../api.ts';

/** The server's refusal, in its own words. */
export function ErrorBox({ error }: { error: unknown }) {
  if (!error) return null;
  const messages =
    error instanceof ApiError ? error.messages : [error instanceof Error ? error.message : String(error)];
  return (
    <div role="alert" className="error">
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}
