import Type, { type Static } from 'typebox';
import { findCompanyBy } from '../../companies/companyStore.ts';
import type { RouteRequest } from '../../http/route.ts';
import { numberToCents } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { CreditMove } from '../../wallet/moveCredit.ts';
import { checkDecimals } from './amounts.ts';
import { dataAnswer, nullable } from './answers.ts';
import { checkIdentification, identificationFields, parseIdentification } from './companyIdentification.ts';

const AMOUNT_MAX = 1_000_000;

/** A top-up and a withdrawal are said in the same words. */
export const creditMoveBody = Type.Object(
  {
    valor: Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX }),
    observacao: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
    empresa: Type.Object(identificationFields, { check: checkIdentification }),
  },
  { check: checkDecimals('valor') },
);

export const creditMoveAnswer = dataAnswer(Type.Object({ registro_id: Type.String() }));

/** Finds the company, and counts the request against the company's own limit. */
export async function readCreditMove(
  { needs, caller, body, admit }: RouteRequest<Static<typeof creditMoveBody>, unknown>,
  limit: 'topUps' | 'withdrawals',
): Promise<CreditMove> {
  const company = await findCompanyBy(needs.db, caller, parseIdentification(body.empresa));
  if (!company) throw new Refusal('company-not-found');
  admit(limit, company.id);
  return { companyId: company.id, cents: numberToCents(body.valor)!, note: body.observacao || null };
}
