import { RoadsError } from '../routing/valhallaPackage.ts';
import { CommandFailed } from './commandFailed.ts';

/** A RoadsError is a sentence for a person. */
export function explainRoadsTrouble(error: unknown): never {
  throw error instanceof RoadsError ? new CommandFailed(error.message) : error;
}
