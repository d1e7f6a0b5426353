import { parsePhone } from '../../platform/kernel/documents.ts';

/** How a recipient gets help: the configured text, and links for the number in it. */
export interface Help {
  /** The text, with a number that does not break across lines. */
  text: string;
  /** `tel:` link; null if the text contains no number. */
  call: string | null;
  /** wa.me link; null if the number cannot have WhatsApp. */
  chat: string | null;
}

const NUMBER = /\+?\d[\d\s().-]{6,}\d|\(\d\d\)[\d\s.-]{7,}\d/;
/** Service numbers are dialled without a country code. */
const SERVICE_NUMBER = /^0[35789]00\d{6,7}$/;

export function helpOf(words: string): Help {
  const written = NUMBER.exec(words)?.[0] ?? '';
  const text = words.replace(NUMBER, (number) => number.replace(/ /g, '\u00a0'));
  const digits = written.replace(/\D/g, '');
  if (SERVICE_NUMBER.test(digits)) return { text, call: `tel:${digits}`, chat: null };
  const national = parsePhone(written.trim().replace(/^0/, ''));
  if (national === null) return { text, call: null, chat: null };
  return { text, call: `tel:+55${national}`, chat: `https://wa.me/55${national}` };
}
