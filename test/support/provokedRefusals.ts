import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failures } from '../../server/src/http/failures.ts';

/** The refusals of the table that no process of the run has noted in this folder (noteRefusals.ts). */
export function neverProvoked(folder: string): string[] {
  const noted = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const provoked = new Set(noted);
  return Object.keys(failures).filter((kind) => !provoked.has(kind));
}
