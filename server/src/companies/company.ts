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
  active: boolean;
}

/** The ways in which outside systems name a company. */
export type CompanyIdentification =
  | { by: 'document'; value: string }
  | { by: 'phone'; value: string }
  | { by: 'contractNumber'; value: string }
  | { by: 'identifier'; value: string };

/** Who a delivery is for when no company orders it. */
export interface Person {
  name: string;
  cpf: string;
  phone: string | null;
}
