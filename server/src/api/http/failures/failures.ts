import { type GivenDetails, REFUSAL_KINDS, type RefusalKind } from '../../../platform/kernel/refusal.ts';
import { accessFailures } from './accessFailures.ts';
import { deliveryFailures } from './deliveryFailures.ts';
import { eventFailures } from './eventFailures.ts';
import type { Failure } from './failure.ts';
import { groupingFailures } from './groupingFailures.ts';
import { insightFailures } from './insightFailures.ts';
import { moneyFailures } from './moneyFailures.ts';
import { orderFailures } from './orderFailures.ts';
import { planFailures } from './planFailures.ts';
import { proofFailures } from './proofFailures.ts';
import { registerFailures } from './registerFailures.ts';
import { requestFailures } from './requestFailures.ts';
import { scheduledFailures } from './scheduledFailures.ts';

const tables = {
  ...accessFailures,
  ...orderFailures,
  ...deliveryFailures,
  ...scheduledFailures,
  ...groupingFailures,
  ...proofFailures,
  ...moneyFailures,
  ...registerFailures,
  ...eventFailures,
  ...insightFailures,
  ...requestFailures,
  ...planFailures,
};

/** The names in braces of a text. */
type Quoted<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Quoted<Rest> : never;
type Given<Kind> = Kind extends keyof GivenDetails ? GivenDetails[Kind] : never;

/** Each kind has its row, and no text quotes a detail that the refusal does not give. */
type Complete<Tables extends Record<RefusalKind, Failure>> = {
  [Kind in RefusalKind]: [Quoted<Tables[Kind]['pt' | 'en']>] extends [Given<Kind>] ? Failure : never;
};
const complete: Complete<typeof tables> = tables;

/** Contract 7: the HTTP status and the texts of each refusal, in the order in which the documents list them. */
export const failures = Object.fromEntries(REFUSAL_KINDS.map((kind) => [kind, complete[kind]])) as Record<
  RefusalKind,
  Failure
>;
