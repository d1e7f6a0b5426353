/** When something was done, and by whom: handed to all that records events, so that nobody forgets to say it. */
export interface Actor {
  at: Temporal.Instant;
  /** The user's id; null where the service acts of its own accord: dispatch, search, merge, simulation. */
  by: number | null;
}

export const serviceActor = (at: Temporal.Instant): Actor => ({ at, by: null });
