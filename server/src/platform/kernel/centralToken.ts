/**
 * A secret that is a credential by itself: a tracking link, a cookie. Its text begins with the central, so that the
 * secret is looked up in that central only: `1.Zk3vXoQ1sT9bYw5uE2hRaA`.
 */
export interface CentralToken {
  centralId: number;
  secret: string;
}

export const writeToken = ({ centralId, secret }: CentralToken): string =>
  `${centralId.toString(36)}.${secret}`;

/** Undefined for a text that writeToken does not write. */
export function readToken(text: string): CentralToken | undefined {
  const [, central, secret] = /^([1-9a-z][0-9a-z]{0,9})\.([A-Za-z0-9_-]{16,64})$/.exec(text) ?? [];
  return central && secret ? { centralId: Number.parseInt(central, 36), secret } : undefined;
}
