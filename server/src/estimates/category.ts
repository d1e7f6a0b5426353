import type { Profile } from '../routing/router.ts';

/** A kind of vehicle and service, with tariffs of its own. */
export interface Category {
  id: number;
  name: string;
  description: string;
  profile: Profile;
  active: boolean;
}
