import type { ErrorKind } from '../envelope.ts';
import { accessHelp } from './accessHelp.ts';
import { deliveriesHelp } from './deliveriesHelp.ts';
import { driversHelp } from './driversHelp.ts';
import { groupingHelp } from './groupingHelp.ts';
import type { Help } from './help.ts';
import { missingHelp } from './missingHelp.ts';
import { moneyHelp } from './moneyHelp.ts';
import { ordersHelp } from './ordersHelp.ts';
import { plansHelp } from './plansHelp.ts';
import { proofHelp } from './proofHelp.ts';
import { registersHelp } from './registersHelp.ts';
import { requestsHelp } from './requestsHelp.ts';

/** Shown on the page of each kind. The compiler asks for every kind. */
export const errorHelp: Readonly<Record<ErrorKind, Help>> = {
  ...accessHelp,
  ...missingHelp,
  ...groupingHelp,
  ...deliveriesHelp,
  ...ordersHelp,
  ...driversHelp,
  ...moneyHelp,
  ...proofHelp,
  ...registersHelp,
  ...requestsHelp,
  ...plansHelp,
};
