import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import {
  createProgram,
  nobodysPasswordHash,
  type ProgramWithSecret,
  revokeProgram,
  rotateProgram,
} from '../../../centrals/keepPrograms.ts';
import { type Program, type ProgramUse, possibleScopes } from '../../../centrals/program.ts';
import { findProgram, listPrograms, listUses } from '../../../centrals/programStore.ts';
import type { Fields } from '../../../events/audit/change.ts';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { type AppDeps, type Endpoint, endpoint } from '../../http/endpoint.ts';
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
import { id, instant, list, text, view } from '../../json/view.ts';
import { writeRegister } from '../register.ts';
import { nameText, optionalId } from '../wire/fields.ts';

const shared = { tag: 'Operação: programas', permission: 'keys', limit: 'operations' } as const;

const DAYS_MAX = 3_650;
const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 30 * 24;

const scopes = possibleScopes(null);
const days = Type.Integer({ minimum: 1, maximum: DAYS_MAX });

interface UsedProgram extends Program {
  /** Newest first. */
  uses: ProgramUse[];
}

const used = view<ProgramUse>()({
  endereco: text((use) => use.address, '203.0.113.7'),
  em: instant((use) => use.usedAt, '2026-11-16T15:00:00Z'),
});

const programShown = view<UsedProgram>()({
  id: id((program) => program.id, '31'),
  descricao: text((program) => program.label, 'Loja virtual'),
  empresa_id: id.orNull((program) => program.companyId, null, 'null: a central inteira'),
  permissoes: {
    schema: Type.Array(Type.Enum(scopes)),
    example: ['watch', 'order'],
    show: (program: UsedProgram) => program.scopes,
  },
  criado_em: instant((program) => program.createdAt, '2026-11-16T14:00:00Z'),
  criado_por: text.orNull((program) => program.createdBy, 'central', 'null: a linha de comando'),
  expira_em: instant.orNull((program) => program.expiresAt, '2027-11-16T14:00:00Z', 'null: não expira'),
  revogado_em: instant.orNull((program) => program.revokedAt, null),
  token_anterior_ate: instant.orNull((program) => program.oldSecretUntil, null),
  ultimo_uso_em: instant.orNull((program) => program.uses[0]?.usedAt, '2026-11-16T15:00:00Z'),
  enderecos: list(used, (program) => program.uses),
});

const withSecret = dataAnswer(
  Type.Object({ ...programShown.schema.properties, token: nullable(Type.String()) }),
);
const secretExample = { success: true, data: { ...programShown.example, token: 'malote_1_…' } };
const ONCE =
  'O token aparece somente nesta resposta; guarde-o. Uma repetição com a mesma Idempotency-Key traz `token` nulo.';

async function usesOf(tx: Tx, centralId: number, programs: readonly Program[]): Promise<UsedProgram[]> {
  const all = await listUses(
    tx,
    centralId,
    programs.map(({ id }) => id),
  );
  const byProgram = Map.groupBy(all, ({ programId }) => programId);
  return programs.map((program) => ({ ...program, uses: byProgram.get(program.id) ?? [] }));
}

const formatProgram = (program: UsedProgram) => programShown.show(program, undefined);

const answerSecret = async (tx: Tx, { centralId }: Caller, { program, secret }: ProgramWithSecret) => {
  const [shown] = await usesOf(tx, centralId, [program]);
  return { data: { ...formatProgram(shown!), token: secret } };
};

const expiryIn = (deps: AppDeps, daysValid: number | null | undefined): Temporal.Instant | null =>
  daysValid ? deps.clock.now().add({ hours: 24 * daysValid }) : null;

const record = (
  deps: AppDeps,
  tx: Tx,
  caller: Caller,
  { id: programId, label }: Program,
  sides: { before: Fields | null; after: Fields | null },
) =>
  recordChange(tx, changeActor(caller, deps.clock.now(), 'operations'), {
    subject: 'program',
    id: programId,
    name: label,
    ...sides,
  });

/** What the audit log has of a new program: never the secret or its digest. */
const recordedProgram = ({ label, isTest, companyId, scopes: granted, expiresAt }: Program): Fields => ({
  descricao: label,
  empresa_id: companyId === null ? null : String(companyId),
  permissoes: granted,
  expira_em: expiresAt && formatUtc(expiresAt),
  ...(isTest && { ambiente_de_teste: true }),
});

/** Not a standard register: the token is shown once, and a program is revoked instead of deleted. */
export const programEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    path: '/programas',
    summary: 'Listar as credenciais de programas',
    description:
      'Um programa se identifica com `Authorization: Bearer <token>`, sem api-key e sem senha de pessoa, e só pode o que está em `permissoes`, na empresa `empresa_id` ou na central inteira. O último uso e os últimos cinco endereços são gravados a cada poucos segundos.',
    query: Type.Object({
      ...pageFields,
      ambiente: Type.Optional(Type.Enum(['real', 'teste'], { description: 'padrão: real' })),
    }),
    ...answerWithList(programShown),
    async handle({ deps, caller, query }) {
      const isTest = query.ambiente === 'teste';
      const programs = await listPrograms(deps.db, caller.centralId, parsePage(query), isTest);
      return { data: (await usesOf(deps.db, caller.centralId, programs)).map(formatProgram) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/programas',
    summary: 'Criar a credencial de um programa',
    description: `${ONCE} Usuários, chaves e configurações ficam com pessoas; um programa de uma empresa pode ter as permissões de um gerente. Ninguém dá a um programa permissões que não tem.`,
    refusals: ['company-not-found', 'scope-not-possible', 'too-many-records', 'not-allowed'],
    body: Type.Object({
      descricao: nameText(80),
      empresa_id: optionalId,
      permissoes: Type.Array(Type.Enum(scopes), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
      validade_dias: Type.Optional(nullable(days)),
      ambiente_de_teste: Type.Optional(
        Type.Boolean({ description: 'true: o token começa com teste_ e só alcança o ambiente de teste' }),
      ),
    }),
    bodyExample: { descricao: 'Loja virtual', permissoes: ['watch', 'order'], validade_dias: 365 },
    answer: withSecret,
    answerExample: secretExample,
    withoutSecret: ({ data }) => ({ data: { ...data, token: null } }),
    async handle({ deps, caller, body }) {
      const { centralId } = caller;
      const passwordHash = await nobodysPasswordHash(centralId);
      return writeRegister(deps, async (tx) => {
        const made = await createProgram(
          tx,
          centralId,
          caller,
          {
            label: plainName(body.descricao),
            isTest: body.ambiente_de_teste,
            companyId: body.empresa_id ?? null,
            scopes: body.permissoes,
            expiresAt: expiryIn(deps, body.validade_dias),
          },
          { passwordHash, now: deps.clock.now() },
        );
        await record(deps, tx, caller, made.program, { before: null, after: recordedProgram(made.program) });
        return answerSecret(tx, caller, made);
      });
    },
  }),
  endpoint({
    ...shared,
    method: 'GET',
    path: '/programas/:id',
    summary: 'Ler a credencial de um programa',
    refusals: ['record-not-found'],
    ...answerWith(programShown),
    async handle({ deps, caller, params }) {
      const program = await findProgram(deps.db, caller.centralId, params.id!);
      if (!program) throw new Refusal('record-not-found');
      const [shown] = await usesOf(deps.db, caller.centralId, [program]);
      return { data: formatProgram(shown!) };
    },
  }),
  endpoint({
    ...shared,
    method: 'POST',
    path: '/programas/:id/token',
    summary: 'Trocar o token de um programa',
    description: `${ONCE} O token anterior, e os tokens de acesso obtidos com ele, valem por mais \`sobreposicao_horas\` (padrão ${OVERLAP_HOURS}; 0: deixam de valer já). Com \`validade_dias\` a credencial ganha um novo prazo, ou nenhum com null.`,
    refusals: ['record-not-found', 'program-revoked', 'not-allowed'],
    body: Type.Object({
      sobreposicao_horas: Type.Optional(Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX })),
      validade_dias: Type.Optional(nullable(days)),
    }),
    bodyExample: { sobreposicao_horas: OVERLAP_HOURS },
    answer: withSecret,
    answerExample: secretExample,
    withoutSecret: ({ data }) => ({ data: { ...data, token: null } }),
    async handle({ deps, caller, params, body }) {
      const now = deps.clock.now();
      const { sobreposicao_horas: overlap = OVERLAP_HOURS, validade_dias: daysValid } = body;
      return writeRegister(deps, async (tx) => {
        const made = await rotateProgram(tx, caller.centralId, caller, params.id!, {
          now,
          oldUntil: now.add({ hours: overlap }),
          expiresAt: daysValid === undefined ? undefined : expiryIn(deps, daysValid),
        });
        const { before, program } = made;
        await record(deps, tx, caller, program, {
          before: { expira_em: before.expiresAt && formatUtc(before.expiresAt) },
          after: {
            token: 'trocado',
            token_anterior_ate: formatUtc(now.add({ hours: overlap })),
            expira_em: program.expiresAt && formatUtc(program.expiresAt),
          },
        });
        return answerSecret(tx, caller, made);
      });
    },
  }),
  endpoint({
    ...shared,
    method: 'DELETE',
    path: '/programas/:id',
    summary: 'Revogar a credencial de um programa',
    description: 'Para sempre e na hora: tokens, tokens de acesso e transmissões abertas deixam de valer.',
    refusals: ['record-not-found'],
    answer: messageAnswer,
    answerExample: { success: true, message: 'programa revogado' },
    async handle({ deps, caller, params, language }) {
      await writeRegister(deps, async (tx) => {
        const now = deps.clock.now();
        const before = await revokeProgram(tx, caller.centralId, caller, params.id!, now);
        await record(deps, tx, caller, before, {
          before: { revogado_em: before.revokedAt && formatUtc(before.revokedAt) },
          after: { revogado_em: formatUtc(before.revokedAt ?? now) },
        });
      });
      return { message: language === 'pt' ? 'programa revogado' : 'program revoked' };
    },
  }),
];
