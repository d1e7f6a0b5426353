import { brCode } from '../../billing/brCode.ts';
import type { Central } from '../../centrals/central.ts';

/** A Pix code that pays the central; null if the central has no Pix key. */
export function pixOf({ name, settings }: Central, cents: number, identifier: string): string | null {
  if (!settings.pixKey || cents <= 0) return null;
  const receiver = settings.pixReceiver || name;
  return brCode({ key: settings.pixKey, receiver, city: settings.pixCity, cents, identifier });
}
