import { parsePhone } from '../../kernel/documents.ts';

/** How a recipient gets help: the words as they were written, and links for the number among them. */
export interface Help {
  /** With a number that is never on two lines. */
  text: string;
  /** `tel:` link; null where the words hold no number. */
  call: string | null;
  /** wa.me link; null where the number cannot have WhatsApp. */
  chat: string | null;
}

const NUMBER = /\+?\d[\d\s().-]{6,}\d|\(\d\d\)[\d\s.-]{7,}\d/;
/** Service numbers are called as they are written. */
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
