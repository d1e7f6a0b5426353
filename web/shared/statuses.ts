import { type Label, PAYMENT_LABELS, STATUS_LABELS } from '../../server/src/api/json/labels.ts';

/** The letters of a delivery's status for operators: L and S too, which the integrators' query shows as P and A. */
export const STATUS_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E', 'F', 'N', 'C'] as const;
export type StatusLetter = (typeof STATUS_LETTERS)[number];

export const statusLabel: Record<StatusLetter, Label> = STATUS_LABELS;

/** The statuses of open deliveries, in the order of their lifecycle. */
export const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const satisfies readonly StatusLetter[];
export type OpenLetter = (typeof OPEN_LETTERS)[number];

export const isOverLetter = (letter: StatusLetter): boolean =>
  letter === 'F' || letter === 'N' || letter === 'C';

export const paymentLabel: Readonly<Record<string, Label>> = PAYMENT_LABELS;

/** The forms of payment that an order can have. */
export const ORDER_PAYMENTS = ['D', 'X', 'C', 'B', 'R', 'F', 'P', 'H'] as const;
