import type { Caller } from '../../../centrals/caller.ts';
import { findSandbox } from '../../../centrals/sandboxStore.ts';
import { changeActor } from '../../../events/audit/recordChange.ts';
import { advanceClock, wipeSandbox } from '../../../insight/sandbox/sandbox.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { type AppDeps, endpoint } from '../../http/endpoint.ts';
import { clockBody, clockExample, formatSandbox, sandboxShown, WIPED } from '../../json/sandboxJson.ts';
import { answerWith, messageAnswer } from '../../json/values.ts';

const shared = {
  tag: 'Ambiente de teste',
  permission: 'order',
  limit: 'deliveries',
} as const;
const ONLY_TEST =
  'Somente com uma chave ou um token de teste (`teste_…`), e com um acesso à central inteira: o ambiente é de todos os que testam nesta central.';

/** The real central. The sandbox is shared, so a login of one company may not change it for all. */
function realCentralOf({ central, companyId }: Caller): number {
  if (central.sandboxOf === undefined) throw new Refusal('only-in-sandbox');
  if (companyId !== null) throw new Refusal('not-allowed');
  return central.sandboxOf;
}

/** Recorded in the log of the real central, since that of the sandbox goes with it. */
const actorOf = (deps: AppDeps, centralId: number, { userId }: Caller) =>
  changeActor({ centralId, userId }, deps.serviceClock.now(), 'integration');

export const getSandboxEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/sandbox',
  operation: 'obterAmbienteDeTeste',
  summary: 'Ler o relógio do ambiente de teste',
  description: 'Somente com uma chave ou um token de teste (`teste_…`).',
  refusals: ['only-in-sandbox'],
  ...answerWith(sandboxShown),
  async handle({ deps, caller }) {
    const { sandboxOf } = caller.central;
    if (sandboxOf === undefined) throw new Refusal('only-in-sandbox');
    return { data: formatSandbox(await findSandbox(deps.db, sandboxOf), deps.serviceClock.now()) };
  },
});

export const advanceClockEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/sandbox/relogio',
  operation: 'adiantarRelogio',
  summary: 'Adiantar o relógio do ambiente de teste',
  description: `${ONLY_TEST} Tudo no ambiente segue o relógio: disparos de programadas, ofertas, prazos de cotações e códigos, entregadores simulados. O trabalho que ficou vencido acontece nos segundos seguintes.`,
  refusals: ['only-in-sandbox', 'not-allowed', 'clock-too-far'],
  body: clockBody,
  bodyExample: clockExample,
  ...answerWith(sandboxShown),
  async handle({ deps, caller, body }) {
    const centralId = realCentralOf(caller);
    const sandbox = await deps.db.begin((tx) =>
      advanceClock(tx, centralId, body.avancar_minutos, actorOf(deps, centralId, caller)),
    );
    await deps.db.afterCommit(deps.registersHeard);
    return { data: formatSandbox(sandbox, deps.serviceClock.now()) };
  },
});

export const wipeSandboxEndpoint = endpoint({
  ...shared,
  method: 'DELETE',
  path: '/sandbox',
  operation: 'apagarAmbienteDeTeste',
  summary: 'Apagar tudo do ambiente de teste',
  description: `${ONLY_TEST} Entregas, programadas, créditos, webhooks e mudanças de cadastros do ambiente deixam de existir, e o relógio volta à hora certa. Os cadastros e as configurações são copiados de novo da central. Chaves e programas de teste continuam valendo.`,
  isRepeatable: true,
  refusals: ['only-in-sandbox', 'not-allowed'],
  answer: messageAnswer,
  answerExample: { success: true, message: WIPED.pt },
  async handle({ deps, caller, language }) {
    const centralId = realCentralOf(caller);
    await deps.db.begin((tx) => wipeSandbox(tx, centralId, actorOf(deps, centralId, caller)));
    await deps.registersHeard();
    return { message: WIPED[language] };
  },
});
