import Type from 'typebox';
import type { CompanyIdentification } from '../../companies/company.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../kernel/documents.ts';

interface IdentificationType {
  by: CompanyIdentification['by'];
  /** The value as it is kept, or null when it does not follow the rule of the type. */
  read(text: string): string | null;
  pt: string;
  en: string;
}

const parseText = (text: string): string | null => text.trim() || null;

/** Contract 2.5: the ways to name a company. */
const types: Record<'F' | 'J' | 'T' | 'C' | 'I', IdentificationType> = {
  F: { by: 'document', read: parseCpf, pt: 'deve ser um CPF válido', en: 'must be a valid CPF' },
  J: { by: 'document', read: parseCnpj, pt: 'deve ser um CNPJ válido', en: 'must be a valid CNPJ' },
  T: {
    by: 'phone',
    read: parsePhone,
    pt: 'deve ser um telefone com DDD',
    en: 'must be a phone number with area code',
  },
  C: { by: 'contractNumber', read: parseText, pt: 'não pode ser vazio', en: 'must not be empty' },
  I: { by: 'identifier', read: parseText, pt: 'não pode ser vazio', en: 'must not be empty' },
};
type TypeCode = keyof typeof types;
const TYPE_CODES = Object.keys(types) as TypeCode[];

export const identificationFields = {
  tipo_identificacao: Type.Enum(TYPE_CODES, {
    description:
      'F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador',
  }),
  identificacao: Type.String({
    maxLength: 255,
    description: 'valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação',
  }),
};

export const checkIdentification: Check = ({ tipo_identificacao: code, identificacao: value }): Problem[] => {
  const type = TYPE_CODES.find((one) => one === code);
  if (!type || typeof value !== 'string' || types[type].read(value) !== null) return [];
  const { pt, en } = types[type];
  return [{ field: 'identificacao', pt, en }];
};

/** For what `checkIdentification` let through. */
export function parseIdentification(named: {
  tipo_identificacao: TypeCode;
  identificacao: string;
}): CompanyIdentification {
  const { by, read } = types[named.tipo_identificacao];
  const value = read(named.identificacao);
  if (value === null) throw new Error('validated before');
  return { by, value };
}
