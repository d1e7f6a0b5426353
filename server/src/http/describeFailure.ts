import type { ShapeFault } from '../areas/readShape.ts';
import type { RefusalDetails, RefusalKind } from '../kernel/refusal.ts';
import type { Language } from './envelope.ts';
import { failures } from './failures.ts';
import { shapeFaults } from './validation.ts';

/** The answer for a refusal, with its details filled in. */
export function describeFailure(
  kind: RefusalKind,
  details: RefusalDetails,
  language: Language,
): { status: number; code: number; message: string } {
  const { status, code, [language]: words } = failures[kind];
  return {
    status,
    code,
    message: words.replace(/\{(\w+)\}/g, (_, name: string) => say(name, details[name] ?? '', language)),
  };
}

const QUOTED_LENGTH_MAX = 200;

/** A reason is translated; every other detail is quoted, up to a limited length. */
const say = (name: string, detail: string | number, language: Language): string =>
  (name === 'reason' && shapeFaults[detail as ShapeFault]?.[language]) ||
  String(detail).slice(0, QUOTED_LENGTH_MAX).toWellFormed();
