import { Refusal } from '../kernel/refusal.ts';
import { violatedConstraint } from './database.ts';

/** Turns a broken constraint into the refusal that it stands for; any other error stays what it is. */
export async function refuseViolations<Result>(
  statement: Promise<Result>,
  refusals: Readonly<Record<string, () => Refusal>>,
): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    const refusal = refusals[violatedConstraint(error) ?? ''];
    throw refusal ? refusal() : error;
  }
}

/** `field` is the house's word; whoever speaks to the outside translates it. */
export const duplicate = (field: string) => () => new Refusal('record-duplicate', { field });

/** For a deletion: whatever still points at the row keeps it, with record-in-use. */
export async function refuseIfUsed<Result>(deletion: Promise<Result>): Promise<Result> {
  try {
    return await deletion;
  } catch (error) {
    throw violatedConstraint(error) === undefined ? error : new Refusal('record-in-use');
  }
}
