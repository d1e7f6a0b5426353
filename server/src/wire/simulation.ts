import type { Script } from '../couriers/courier.ts';

/** What an integrator writes into `observacao` to choose how a simulated delivery goes: [simular: recusa]. */
export const scriptWord = {
  success: 'sucesso',
  refusal: 'recusa',
  no_driver: 'sem-condutor',
  giving_up: 'desistencia',
  breakdown: 'pane',
  absent: 'ausente',
} as const satisfies Record<Script, string>;

const MARKER = /\[\s*simular\s*:\s*([^\]]{1,40})\]/i;

/** Accents, capitals and the kind of gap between words do not matter; without a marker that we know all goes well. */
export function parseScript(note: string | null): Script {
  const written = note && MARKER.exec(note)?.[1];
  if (!written) return 'success';
  const word = written
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
  const found = Object.entries(scriptWord).find(([, one]) => one === word);
  return (found?.[0] as Script | undefined) ?? 'success';
}

/** Why a simulated delivery goes on at a stop whose code is locked: kept in its history like any operator's reason. */
export const SIMULATED_OVERRIDE = 'simulação: código bloqueado';
