import { ApiError, isRefusal } from './api.ts';

export interface FieldErrors {
  /** By the server's name of the field, e.g. `paradas[0].lat_parada`. */
  of(field: string): string | undefined;
  /** What belongs beside no field in particular. */
  rest: ApiError | Error | null;
}

/** Contract 7.1: messages about invalid input have the form `'campo': o que está errado`; each is shown beside its field. */
export function fieldErrors(error: unknown, shown: (field: string) => boolean = () => true): FieldErrors {
  if (!error) return { of: () => undefined, rest: null };
  if (!(error instanceof ApiError)) return { of: () => undefined, rest: error as Error };
  const fields = new Map<string, string>();
  const rest: string[] = [];
  const isInvalid = isRefusal(error, 'invalid-input');
  for (const message of error.messages) {
    const [, field, words] = (isInvalid && /^'([^']+)': (.*)$/s.exec(message)) || [];
    if (field && words && shown(field)) fields.set(field, words);
    else rest.push(message);
  }
  return {
    of: (field) => fields.get(field),
    rest: rest.length ? new ApiError(error.kind, rest) : null,
  };
}
