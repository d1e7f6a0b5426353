import Type from 'typebox';
import type { Sandbox } from '../../centrals/sandboxStore.ts';
import { ADVANCE_MINUTES_MAX } from '../../insight/sandbox/sandbox.ts';
import { flag, instant, integer, view } from './view.ts';

interface ShownSandbox {
  sandbox: Pick<Sandbox, 'clockAheadSeconds'> | undefined;
  /** By the clock of the sandbox. */
  now: Temporal.Instant;
}

const MINUTE = 60;

export const sandboxShown = view<ShownSandbox>()({
  existe: flag(
    ({ sandbox }) => sandbox !== undefined,
    true,
    'é criado no primeiro uso de uma chave de teste',
  ),
  agora: instant(({ now }) => now, '2026-11-17T15:30:00Z', 'o relógio do ambiente de teste, ISO 8601 em UTC'),
  adiantado_minutos: integer(
    ({ sandbox }) => (sandbox?.clockAheadSeconds ?? 0) / MINUTE,
    1_470,
    'quanto o relógio foi adiantado desde a última limpeza',
  ),
});

/** The sandbox at an instant of the service's clock. */
export const formatSandbox = (sandbox: ShownSandbox['sandbox'], serviceNow: Temporal.Instant) =>
  sandboxShown.show(
    { sandbox, now: serviceNow.add({ seconds: sandbox?.clockAheadSeconds ?? 0 }) },
    undefined,
  );

export const clockBody = Type.Object({
  avancar_minutos: Type.Integer({
    minimum: 1,
    maximum: ADVANCE_MINUTES_MAX,
    description: 'o relógio só anda para a frente, até 31 dias de cada vez',
  }),
});
export const clockExample = { avancar_minutos: 30 };

export const WIPED = {
  pt: 'ambiente de teste apagado: ele recomeça na hora certa, com os cadastros de agora',
  en: 'sandbox wiped: it begins again at the present time, with the registers as they are now',
};
