import type { Clock } from '../kernel/clock.ts';
import type { Db } from './database.ts';

/** The dependencies of every command; rooms further out add to them. */
export interface Deps {
  db: Db;
  clock: Clock;
}
