import { findCentral } from '../centrals/centralStore.ts';
import { createProgram, nobodysPasswordHash, revokeProgram } from '../centrals/keepPrograms.ts';
import { type Permission, permissions } from '../centrals/permissions.ts';
import { type Program, possibleScopes } from '../centrals/program.ts';
import { listPrograms, listUses } from '../centrals/programStore.ts';
import { commandLineActor, recordChange } from '../events/audit/recordChange.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { plainName } from '../platform/kernel/plainName.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Db } from '../platform/postgres/database.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { withExistingStore } from './openStore.ts';

const central = {
  value: 'number',
  required: true,
  help: 'the central of the program',
  mistake: positiveInteger,
} as const;
const PAGE = 100;

export const createTokenCommand = command({
  details: [
    'Prints only the token on stdout. It is shown once: the database stores only its digest. A program sends it as',
    '"Authorization: Bearer <token>", without an API key. Without --company it sees the whole central.',
    '',
    `Scopes: ${possibleScopes(null).join(', ')}`,
    '',
    `Scopes of a company: ${possibleScopes(1).join(', ')}`,
  ].join('\n'),
  options: {
    central,
    label: {
      value: 'text',
      required: true,
      help: 'a note on which program uses the token',
      mistake: notBlank,
    },
    scopes: {
      value: 'list',
      required: true,
      help: 'what the program may do, e.g. watch,order',
      mistake: (list) => {
        const unknown = list.split(',').filter((scope) => !isPermission(scope));
        return unknown.length > 0 ? `has unknown scopes: ${unknown.join(', ')}` : undefined;
      },
    },
    company: { value: 'number', help: 'the only company that the program sees', mistake: positiveInteger },
    days: {
      value: 'number',
      help: 'after how many days it expires; never, if absent',
      mistake: positiveInteger,
    },
    sandbox: { help: 'the token reaches the sandbox of the central, and only that' },
  },
  run: ({ central: number, label, scopes, company, days, sandbox }) =>
    withExistingStore(async ({ db }) => {
      const centralId = await existing(db, number);
      const now = systemClock.now();
      const passwordHash = await nobodysPasswordHash(centralId);
      const program = {
        label: plainName(label),
        isTest: sandbox,
        companyId: company ? Number(company) : null,
        scopes: scopes.split(',').filter(isPermission),
        expiresAt: days ? now.add({ hours: 24 * Number(days) }) : null,
      };
      const secret = await db
        .begin(async (tx) => {
          const made = await createProgram(tx, centralId, null, program, { passwordHash, now });
          await recordChange(tx, commandLineActor(centralId, now), {
            subject: 'program',
            id: made.program.id,
            name: program.label,
            before: null,
            after: {
              descricao: program.label,
              empresa_id: company ?? null,
              permissoes: made.program.scopes,
              expira_em: program.expiresAt && String(program.expiresAt),
              ...(sandbox && { ambiente_de_teste: true }),
            },
          });
          return made.secret;
        })
        .catch(explain);
      console.log(secret);
      return 0;
    }),
});

export const listTokensCommand = command({
  details:
    'Prints a line for each program: its number, state, company, scopes, last use and label, separated by tabs.',
  options: { central, sandbox: { help: 'list the programs of the sandbox instead' } },
  run: ({ central: number, sandbox }) =>
    withExistingStore(async ({ db }) => {
      const centralId = await existing(db, number);
      for (let offset = 0; ; offset += PAGE) {
        const programs = await listPrograms(db, centralId, { limit: PAGE, offset }, sandbox);
        const uses = await listUses(
          db,
          centralId,
          programs.map(({ id }) => id),
        );
        for (const program of programs) {
          const last = uses.find(({ programId }) => programId === program.id);
          console.log(lineOf(program, last ? String(last.usedAt) : 'never used'));
        }
        if (programs.length < PAGE) return 0;
      }
    }),
});

export const revokeTokenCommand = command({
  details: 'The program is shut out at once, and for ever. `token list` shows the numbers of programs.',
  options: {
    central,
    id: { value: 'number', required: true, help: 'the number of the program', mistake: positiveInteger },
  },
  run: ({ central: number, id }) =>
    withExistingStore(async ({ db }) => {
      const centralId = await existing(db, number);
      const now = systemClock.now();
      await db
        .begin(async (tx) => {
          const before = await revokeProgram(tx, centralId, null, Number(id), now);
          await recordChange(tx, commandLineActor(centralId, now), {
            subject: 'program',
            id: before.id,
            name: before.label,
            before: { revogado_em: before.revokedAt && String(before.revokedAt) },
            after: { revogado_em: String(before.revokedAt ?? now) },
          });
        })
        .catch(explain);
      console.log(`program ${id} revoked`);
      return 0;
    }),
});

const isPermission = (text: string): text is Permission => (permissions as readonly string[]).includes(text);

function lineOf({ id, label, companyId, scopes, expiresAt, revokedAt }: Program, lastUse: string): string {
  const isExpired = expiresAt && Temporal.Instant.compare(expiresAt, systemClock.now()) <= 0;
  const state = revokedAt ? 'revoked' : isExpired ? 'expired' : 'active';
  const company = companyId === null ? 'whole central' : `company ${companyId}`;
  return [id, state, company, scopes.join(','), lastUse, label].join('\t');
}

async function existing(db: Db, number: string): Promise<number> {
  if (!(await findCentral(db, Number(number)))) throw new CommandFailed(`there is no central ${number}`);
  return Number(number);
}

const EXPLAINED: Readonly<Record<string, string>> = {
  'company-not-found': 'this central has no such company',
  'record-not-found': 'this central has no such program',
  'scope-not-possible': 'a program cannot have one of these scopes: see malote help token create',
};

function explain(error: unknown): never {
  const explained = error instanceof Refusal ? EXPLAINED[error.kind] : undefined;
  if (explained) throw new CommandFailed(explained);
  throw error;
}
