import type { Settings } from '../../centrals/central.ts';
import type { FailureRules } from '../../centrals/failureRules.ts';

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
  /** Its deviations from the central's rules for failed stops. */
  failureRules: Partial<FailureRules> | null;
  /** How its recipients get help; null: the text of the central. */
  supportText: string | null;
  /** The proof required at its stops; null: the setting of the central. */
  proofPhoto: Settings['proofPhoto'] | null;
  proofSignature: Settings['proofSignature'] | null;
  proofName: Settings['proofName'] | null;
  proofAmount: boolean | null;
  active: boolean;
}

/** The fields of the ordering company that an order uses. */
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
