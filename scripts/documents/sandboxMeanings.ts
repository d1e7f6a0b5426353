import type { Meaning } from './meaning.ts';

/** The fields of the sandbox. */
export const sandboxMeanings: Readonly<Record<string, Meaning>> = {
  existe: ['whether there is a sandbox; the first use of a key of it makes it'],
  agora: ['the clock of the sandbox, ISO 8601 UTC'],
  adiantado_minutos: ['how far the clock was put forward since the last wipe'],
  avancar_minutos: ['by how much; the clock only goes forward, at most 31 days at a time'],
};
