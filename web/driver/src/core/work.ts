import type { Apis } from '../../../shared/api.gen.ts';

type Answer<O extends keyof Apis['operacao']> = Apis['operacao'][O]['answer'];

/** Everything that the app shows. */
export type Work = Answer<'GET /condutores/{id}/trabalho'>;

export type Offer = Work['ofertas'][number];
export type Run = Work['corridas'][number];
export type Stop = Run['paradas'][number];
export type Place = Run['coleta'];
export type Earned = Work['ganhos']['hoje'];
export type Statement = Answer<'GET /condutores/{id}/extrato'>;
export type StatementEntry = Statement['lancamentos'][number];
export type FailureDecision = Run['falha']['ausente'];

/** Invoice (F) and credits (R) are how the company pays. A recipient who owes something pays in another form. */
export const isPaidAtDoor = ({ forma_pagamento }: Pick<Stop, 'forma_pagamento'>): boolean =>
  forma_pagamento !== 'F' && forma_pagamento !== 'R';
