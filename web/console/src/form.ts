import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLanguage, useWords } from '../../shared/words.ts';
import { ApiError, isRefusal } from './api.ts';
import { withFieldLabel } from './fieldLabels.ts';
import { toast } from './ui/Toasts.tsx';

export interface ActionOptions<Given, Result> {
  /** The message on success. */
  done?: string | ((result: Result, given: Given) => string | undefined) | undefined;
  /** First parts of the keys of the queries to read again. */
  refresh?: readonly string[] | undefined;
  onDone?: (result: Result, given: Given) => void;
  /** Closes the form or opens another page. Not called if the user has left before the answer came. */
  leave?: (result: Result, given: Given) => void;
  /** Shows a failure as a toast, for actions without a form. */
  toastsFailure?: boolean;
}

/** Runs an action of the user: shows its progress, reads again what changed, and says that it is done. */
export function useAction<Given = void, Result = unknown>(
  work: (given: Given) => Promise<Result>,
  { done, refresh = [], onDone, leave, toastsFailure = false }: ActionOptions<Given, Result> = {},
): UseMutationResult<Result, Error, Given> {
  const queries = useQueryClient();
  const failed = useFailure();
  const isShown = useIsShown();
  return useMutation<Result, Error, Given>({
    mutationFn: work,
    onSuccess: async (result, given) => {
      onDone?.(result, given);
      if (isShown()) leave?.(result, given);
      // The message comes after the new data is on the screen.
      await Promise.all(refresh.map((key) => queries.invalidateQueries({ queryKey: [key] })));
      const text = typeof done === 'function' ? done(result, given) : done;
      if (text) toast(text);
    },
    onError: (error) => failed(error, toastsFailure),
  });
}

/** Returns a function that tells whether the component is still on the screen when an answer arrives. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}

const knownFailures = new WeakSet<Error>();

/**
 * Handles a failure. An open form shows it by itself. If the form was closed before the answer came, or there is none
 * (`always`), the failure is shown once, as a toast.
 */
export function useFailure(): (error: Error, always?: boolean) => void {
  const language = useLanguage();
  const isShown = useIsShown();
  return (error, always = false) => {
    if ((isShown() && !always) || knownFailures.has(error)) return;
    knownFailures.add(error);
    const messages = error instanceof ApiError ? error.messages : [error.message];
    toast(messages.map((message) => withFieldLabel(message, language)).join('\n'), 'failed');
  };
}

/** Reads queries again, by the first parts of their keys, and then says what was done. */
export function useRefresh(...keys: string[]): (done: string) => Promise<void> {
  const queries = useQueryClient();
  return async (done) => {
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    toast(done);
  };
}

/** Resets the drafts of open forms: one reopened before the answer came must not offer again what was sent. */
const openDrafts = new Set<(key: string, text: string) => void>();

/**
 * Keeps what the user has typed for as long as the tab is open, also through a reload, an ended session or a lost
 * connection. `clear` deletes it once it has been sent.
 */
export function useDraft<Value extends object>(
  name: string,
  initial: Value,
): [value: Value, change: (next: Value | ((before: Value) => Value)) => void, clear: () => void] {
  const key = keyOf(name);
  const [start] = useState(initial);
  const [value, setValue] = useState<Value>(() => stored(key, start));
  useEffect(() => {
    if (value === start) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  }, [key, value, start]);
  useEffect(() => {
    const forget = (cleared: string, text: string) => {
      if (cleared === key) setValue((now) => (JSON.stringify(now) === text ? start : now));
    };
    openDrafts.add(forget);
    return () => void openDrafts.delete(forget);
  }, [key, start]);
  const clear = () => {
    setValue(start);
    // The component that clears it may be unmounted before the effect.
    sessionStorage.removeItem(key);
    for (const forget of openDrafts) forget(key, JSON.stringify(value));
  };
  return [value, setValue, clear];
}

const keyOf = (name: string): string => `malote.rascunho.${name}`;

/** Deletes all drafts of this tab, because another person uses it now. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(keyOf(''))) sessionStorage.removeItem(name);
}

/** Stores a draft for a form that is opened next. */
export const leaveDraft = (name: string, value: object): void =>
  sessionStorage.setItem(keyOf(name), JSON.stringify(value));

function stored<Value extends object>(key: string, start: Value): Value {
  const text = sessionStorage.getItem(key);
  if (text === null) return start;
  try {
    return { ...start, ...(JSON.parse(text) as Partial<Value>) };
  } catch {
    return start;
  }
}

/**
 * A draft of changes to an existing entry. It belongs to one state of the entry: after another state was saved, a newly
 * opened form starts from that one. For an open form, `assertCurrent` reads the entry again before saving (`shownBy`:
 * the first parts of the keys of the queries that `initial` comes from) and refuses, once, to overwrite what somebody
 * else has saved meanwhile.
 */
export function useEntryDraft<Value extends object>(
  name: string,
  initial: Value,
  shownBy: readonly string[] = [],
) {
  const t = useWords();
  const queries = useQueryClient();
  const now = useRef('');
  now.current = JSON.stringify(initial);
  const [start] = useState(() => ({ name: `${name}.${fingerprint(now.current)}`, initial }));
  const known = useRef(now.current);
  const assertCurrent = async (): Promise<void> => {
    await Promise.all(shownBy.map((key) => queries.refetchQueries({ queryKey: [key], type: 'active' })));
    // The component is rendered with the new data in a later task.
    await new Promise((resolve) => setTimeout(resolve));
    if (now.current === known.current) return;
    known.current = now.current;
    throw new Error(
      t(
        'Outra pessoa salvou isto enquanto você editava. Confira o que mudou; salvar de novo grava o que está aqui por cima.',
        'Somebody else saved this while you were editing. Check what changed; saving again writes what is here over it.',
      ),
    );
  };
  return [...useDraft<Value>(start.name, start.initial), assertCurrent] as const;
}

function fingerprint(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  return (hash >>> 0).toString(36);
}

export interface FieldErrors {
  /** By the server's name of the field, e.g. `paradas[0].lat_parada`. */
  of(field: string): string | undefined;
  /** Problems that belong to no field. */
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
