import type { Settings } from '../centrals/central.ts';
import type { FailureRules } from '../centrals/failureRules.ts';

/** A customer of the central that orders deliveries on account, with managers and a credit wallet. */
export interface Company {
  id: number;
  name: string;
  /** CPF or CNPJ without punctuation. */
  document: string;
  phone: string | null;
  contractNumber: string | null;
  identifier: string | null;
  defaultCategoryId: number | null;
  needsRelease: boolean;
  /** What it wants otherwise than its central when a stop fails. */
  failureRules: Partial<FailureRules> | null;
  /** How its recipients get help; null: as the central says. */
  supportText: string | null;
  /** What its stops ask for as proof; null: what the central asks for. */
  proofPhoto: Settings['proofPhoto'] | null;
  proofSignature: Settings['proofSignature'] | null;
  proofName: Settings['proofName'] | null;
  proofAmount: boolean | null;
  active: boolean;
}

/** What an order takes over from the company that orders. */
export interface OrderingCompany
  extends Pick<Company, 'id' | 'defaultCategoryId' | 'needsRelease' | 'active'> {
  /** The company's own record as a customer. */
  customerId: number;
}

/** The ways in which external systems identify a company. */
export type CompanyIdentification =
  | { by: 'document'; value: string }
  | { by: 'phone'; value: string }
  | { by: 'contractNumber'; value: string }
  | { by: 'identifier'; value: string };

/** The person who orders a delivery when no company does. */
export interface Person {
  name: string;
  cpf: string;
  phone: string | null;
}
