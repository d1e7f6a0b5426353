import { parseInstant } from '../../api/http/formats.ts';

const UNITS = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;
const HOURS_OF_DAY = 24;

const durationOf = (text: string): Temporal.Duration | undefined => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const named = UNITS[unit as keyof typeof UNITS];
  return named === 'days'
    ? Temporal.Duration.from({ hours: Number(count) * HOURS_OF_DAY })
    : Temporal.Duration.from({ [named]: Number(count) });
};

const isEventId = (text: string): boolean => /^[1-9]\d{0,14}(\.[0-9a-f-]{36})?$/.test(text);

/** The problem of a text of `--since`. */
export const sinceMistake = (text: string): string | undefined =>
  durationOf(text) || isEventId(text) || parseInstant(text)
    ? undefined
    : 'must be a time ago such as 30m, 2h or 7d, the id of an event, or an instant such as 2026-11-16T15:00:00Z';

/** The point as the service reads it. */
export const pointOf = (text: string, now: Temporal.Instant): string => {
  const ago = durationOf(text);
  return ago ? now.subtract(ago).toString({ smallestUnit: 'millisecond' }) : text;
};
