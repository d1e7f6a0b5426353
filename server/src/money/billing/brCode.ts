import type { Central } from '../../centrals/central.ts';
import { parseCnpj, parseCpf, parsePhone } from '../../platform/kernel/documents.ts';

/**
 * The copy-and-paste code of a static Pix payment (BR Code): fields of two digits for the id, two for the length, and
 * the value, as in EMV QR codes, and a check sum at the end. It is made without a connection to a bank.
 */
export interface PixPayment {
  /** The receiver's key: CPF, CNPJ, phone, e-mail, or a random key, as people write them. */
  key: string;
  receiver: string;
  city: string;
  /** Null: the payer types it. */
  cents: number | null;
  /** Letters and digits, at most 25, shown on the receiver's bank statement; null: none. */
  identifier: string | null;
}

const NAME_MAX = 25;
const CITY_MAX = 15;
const IDENTIFIER_MAX = 25;

export function brCode({ key, receiver, city, cents, identifier }: PixPayment): string {
  const identified = identifier?.replace(/[^A-Za-z0-9]/g, '').slice(0, IDENTIFIER_MAX) || '***';
  const fields = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', plainKey(key))),
    field('52', '0000'),
    field('53', '986'),
    ...(cents === null ? [] : [field('54', amount(cents))]),
    field('58', 'BR'),
    field('59', plain(receiver, NAME_MAX)),
    field('60', plain(city, CITY_MAX)),
    field('62', field('05', identified)),
    // The check sum covers its own id and length.
    '6304',
  ].join('');
  return fields + checkSum(fields);
}

/** The code that pays the central; null if the central has no Pix key. */
export function brCodeOf({ name, settings }: Central, cents: number, identifier: string): string | null {
  if (!settings.pixKey || cents <= 0) return null;
  const receiver = settings.pixReceiver || name;
  return brCode({ key: settings.pixKey, receiver, city: settings.pixCity, cents, identifier });
}

/** The form that banks use: CPF and CNPJ without punctuation, a phone with its country code, others in lower case. */
export function plainKey(key: string): string {
  const phone = parsePhone(key);
  return parseCpf(key) ?? parseCnpj(key) ?? (phone ? `+55${phone}` : key.trim().toLowerCase());
}

const RANDOM_KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** The punctuation of a CPF. With wrong check digits it is a mistyped CPF, not a phone. */
const CPF_FORM = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;

/** A CPF or CNPJ with right check digits, a phone with its area code, an e-mail, or a random key. */
export function isPixKey(key: string): boolean {
  const plain = plainKey(key);
  if (parseCpf(key) || parseCnpj(key)) return true;
  if (parsePhone(key)) return !CPF_FORM.test(key.trim());
  return RANDOM_KEY.test(plain) || EMAIL.test(plain);
}

function field(id: string, value: string): string {
  if (value.length > 99) throw new RangeError(`too long for field ${id}: ${value.length} characters`);
  return id + String(value.length).padStart(2, '0') + value;
}

const amount = (cents: number): string =>
  `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Removes accents, because some readers count lengths in characters and others in bytes. */
const plain = (text: string, length: number): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/[^ -~]/g, '')
    .trim()
    .slice(0, length)
    .trim() || 'X';

/** CRC-16/CCITT-FALSE: polynomial 1021, initial value FFFF. */
export function checkSum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
