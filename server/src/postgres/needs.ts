import type { Clock } from '../kernel/clock.ts';
import type { Db } from './database.ts';

/** What every command needs; rooms further out add to it. */
export interface Needs {
  db: Db;
  clock: Clock;
}
