import type { Settings } from './settings.ts';

/** A dispatch central: the tenant. Nothing of one central is ever visible in another. */
export interface Central {
  id: number;
  name: string;
  timeZone: string;
  active: boolean;
  settings: Settings;
}
