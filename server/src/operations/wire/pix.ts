import { brCode } from '../../billing/brCode.ts';
import type { Central } from '../../centrals/central.ts';

/** A code that pays the central; null while it has not said where to. */
export function pixOf({ name, settings }: Central, cents: number, identifier: string): string | null {
  if (!settings.pixKey || cents <= 0) return null;
  const receiver = settings.pixReceiver || name;
  return brCode({ key: settings.pixKey, receiver, city: settings.pixCity, cents, identifier });
}
