import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program that this machine may have. Without it, the report of the test says what was not checked. */
export function findProgram(name: string, unchecked: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  reportUnchecked(name, unchecked);
  return undefined;
}

export const reportUnchecked = (name: string, unchecked: string): void =>
  console.error(`NOT CHECKED: ${unchecked}, because this machine has no ${name}`);
