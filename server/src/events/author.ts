import type { Role } from '../centrals/caller.ts';

/** Who did what an event tells of. A driver's login has its driver's name, all others the one they log in with. */
export interface Author {
  name: string;
  role: Role;
  /** A manager's. */
  companyId: number | null;
}

export interface Authored {
  /** False for events from before authors were kept. */
  authorKept: boolean;
  /** Null: the service itself. */
  author: Author | null;
}

/** Of the event `e`; the role is the one that the user has now. */
export const AUTHOR_COLUMNS = `e.author_kept as "authorKept",
  case when u.id is not null then jsonb_build_object(
    'name', coalesce(driver.name, u.username), 'role', u.role, 'companyId', u.company_id) end as author`;
export const AUTHOR_JOINS = `left join users u on u.central_id = e.central_id and u.id = e.user_id
  left join drivers driver on driver.central_id = u.central_id and driver.id = u.driver_id`;
