import type { Clock } from '../kernel/clock.ts';
import type { Db } from './database.ts';

/** What every command needs; rooms further out add to it. */
export interface Deps {
  db: Db;
  clock: Clock;
}
