import type { Needs } from '../postgres/needs.ts';

/** All that a request may need. */
export interface AppNeeds extends Needs {}
