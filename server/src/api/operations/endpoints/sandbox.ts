import Type from 'typebox';
import { type ApiKey, digestApiKey } from '../../../centrals/apiKeyStore.ts';
import {
  findSandboxKey,
  insertSandboxKey,
  listSandboxKeys,
  markSandboxKeyRevoked,
  newSandboxKey,
} from '../../../centrals/sandboxKeyStore.ts';
import { findSandbox } from '../../../centrals/sandboxStore.ts';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { advanceClock, wipeSandbox } from '../../../insight/sandbox/sandbox.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { clockBody, clockExample, formatSandbox, sandboxShown, WIPED } from '../../json/sandboxJson.ts';
import {
  answerWith,
  answerWithList,
  dataAnswer,
  formatUtc,
  messageAnswer,
  nullable,
  pageFields,
  parsePage,
} from '../../json/values.ts';
import { id, instant, text, view } from '../../json/view.ts';
import { writeRegister } from '../register.ts';
import { nameText } from '../wire/fields.ts';

const shared = { tag: 'Operação: ambiente de teste', permission: 'keys', limit: 'operations' } as const;

const bodyExample = { descricao: 'Loja virtual, homologação' };
const keyShown = view<ApiKey>()({
  id: id((key) => key.id, '2'),
  descricao: text((key) => key.label, bodyExample.descricao),
  criada_em: instant((key) => key.createdAt, '2026-11-16T15:00:00Z'),
  revogada_em: instant.orNull((key) => key.revokedAt, null),
});
const formatKey = (key: ApiKey) => keyShown.show(key, undefined);

/** For whoever administrates keys, with the credentials of the real side. */
export const sandboxEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    path: '/ambiente-de-teste',
    summary: 'Ler o relógio do ambiente de teste',
    ...answerWith(sandboxShown),
    async handle({ deps, caller }) {
      return { data: formatSandbox(await findSandbox(deps.db, caller.centralId), deps.clock.now()) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/ambiente-de-teste/relogio',
    summary: 'Adiantar o relógio do ambiente de teste',
    description: 'O relógio só anda para a frente. Apagar o ambiente o traz de volta à hora certa.',
    refusals: ['clock-too-far'],
    body: clockBody,
    bodyExample: clockExample,
    ...answerWith(sandboxShown),
    async handle({ deps, caller, body }) {
      const actor = changeActor(caller, deps.clock.now(), 'operations');
      const sandbox = await writeRegister(deps, (tx) =>
        advanceClock(tx, caller.centralId, body.avancar_minutos, actor),
      );
      return { data: formatSandbox(sandbox, deps.clock.now()) };
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/ambiente-de-teste',
    summary: 'Apagar tudo do ambiente de teste',
    description:
      'Os cadastros e as configurações são copiados de novo da central. Chaves e programas de teste continuam valendo.',
    answer: messageAnswer,
    answerExample: { success: true, message: WIPED.pt },
    async handle({ deps, caller, language }) {
      const actor = changeActor(caller, deps.clock.now(), 'operations');
      await writeRegister(deps, (tx) => wipeSandbox(tx, caller.centralId, actor));
      return { message: WIPED[language] };
    },
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/ambiente-de-teste/chaves',
    summary: 'Listar as chaves de teste',
    query: Type.Object(pageFields),
    ...answerWithList(keyShown),
    async handle({ deps, caller, query }) {
      const keys = await listSandboxKeys(deps.db, caller.centralId, parsePage(query));
      return { data: keys.map(formatKey) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/ambiente-de-teste/chaves',
    summary: 'Criar uma chave de teste',
    description:
      'A chave começa com `teste_` e só alcança o ambiente de teste, com os mesmos usuários e senhas. Ela aparece somente nesta resposta; guarde-a. Uma repetição com a mesma Idempotency-Key traz `chave` nula.',
    refusals: ['too-many-records'],
    body: Type.Object({ descricao: nameText(100) }),
    bodyExample,
    answer: dataAnswer(Type.Object({ ...keyShown.schema.properties, chave: nullable(Type.String()) })),
    answerExample: { success: true, data: { ...keyShown.example, chave: 'teste_…' } },
    withoutSecret: ({ data }) => ({ data: { ...data, chave: null } }),
    async handle({ deps, caller, body }) {
      const label = plainName(body.descricao);
      const secret = newSandboxKey();
      const now = deps.clock.now();
      const made = await writeRegister(deps, async (tx) => {
        const keyId = await insertSandboxKey(tx, caller.centralId, label, digestApiKey(secret), now);
        await recordChange(tx, changeActor(caller, now, 'operations'), {
          subject: 'key',
          id: keyId,
          name: label,
          before: null,
          after: { descricao: label, ambiente_de_teste: true },
        });
        return keyId;
      });
      const key = { id: made, label, createdAt: now, revokedAt: null };
      return { data: { ...formatKey(key), chave: secret } };
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/ambiente-de-teste/chaves/:id',
    summary: 'Revogar uma chave de teste',
    description: 'Para sempre.',
    refusals: ['record-not-found'],
    answer: messageAnswer,
    answerExample: { success: true, message: 'chave revogada' },
    async handle({ deps, caller, params, language }) {
      const keyId = params.id!;
      await writeRegister(deps, async (tx) => {
        const now = deps.clock.now();
        const key = await findSandboxKey(tx, caller.centralId, keyId);
        if (!key) throw new Refusal('record-not-found');
        await markSandboxKeyRevoked(tx, caller.centralId, keyId, now);
        await recordChange(tx, changeActor(caller, now, 'operations'), {
          subject: 'key',
          id: keyId,
          name: key.label,
          before: { revogada_em: key.revokedAt && formatUtc(key.revokedAt) },
          after: { revogada_em: formatUtc(key.revokedAt ?? now), ambiente_de_teste: true },
        });
      });
      return { message: language === 'pt' ? 'chave revogada' : 'key revoked' };
    },
  }),
];
