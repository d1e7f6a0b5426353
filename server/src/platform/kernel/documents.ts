/** Brazilian registration numbers and phones are entered with punctuation and stored without it. */

const plain = (text: string): string => text.replace(/[\s./()-]/g, '').toUpperCase();

/** The CPF without punctuation, or null when its check digits are wrong. */
export function parseCpf(text: string): string | null {
  const cpf = plain(text);
  if (!/^\d{11}$/.test(cpf) || /^(\d)\1{10}$/.test(cpf)) return null;
  const weigh = (length: number) => checkDigit(cpf, length, (index) => length + 1 - index);
  return weigh(9) === Number(cpf[9]) && weigh(10) === Number(cpf[10]) ? cpf : null;
}

/**
 * The CNPJ without punctuation, or null when its check digits are wrong. Since July 2026 the first twelve
 * places may hold letters; a letter counts as its ASCII code less 48, which leaves digits as they were.
 */
export function parseCnpj(text: string): string | null {
  const cnpj = plain(text);
  if (!/^[0-9A-Z]{12}\d{2}$/.test(cnpj) || /^(\d)\1{13}$/.test(cnpj)) return null;
  const weigh = (length: number) => checkDigit(cnpj, length, (index) => ((length - 1 - index) % 8) + 2);
  return weigh(12) === Number(cnpj[12]) && weigh(13) === Number(cnpj[13]) ? cnpj : null;
}

/** A CPF or CNPJ as people write it: 11.222.333/0001-81. */
export const formatDocument = (document: string): string =>
  document
    .replace(/^(\w{3})(\w{3})(\w{3})(\w{2})$/, '$1.$2.$3-$4')
    .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/, '$1.$2.$3/$4-$5');

/** Area code and number, 10 or 11 digits, without the country code; null when it is not such a number. */
export function parsePhone(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  const national = digits.length > 11 && digits.startsWith('55') ? digits.slice(2) : digits;
  return /^[1-9][1-9](9\d{8}|[2-8]\d{7})$/.test(national) ? national : null;
}

function checkDigit(text: string, length: number, weight: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < length; index += 1) sum += (text.charCodeAt(index) - 48) * weight(index);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
