import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { formats, isTimeZone } from '../api/http/formats.ts';
import { roleCode } from '../api/json/codes.ts';
import type { Role } from '../centrals/caller.ts';
import { findCentral, type NewCentral } from '../centrals/centralStore.ts';
import {
  createApiKey,
  createCentral,
  createSandboxKey,
  createUser,
  type NewUser,
} from '../centrals/createCentral.ts';
import { roles } from '../centrals/permissions.ts';
import { commandLineActor, recording } from '../events/audit/recordChange.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { plainName } from '../platform/kernel/plainName.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Db } from '../platform/postgres/database.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { UsageMistakes } from './commandLine.ts';
import { withExistingStore, withStore } from './openStore.ts';

export const createCentralCommand = command({
  details: [
    'Prints the number of the new central. Users log in with the name or the number of their central, so a name must',
    'be unique (ignoring case and accents) and contain at least one letter. A new central has cancellation reasons and',
    'nothing else: create an API key and an operator next. The operator then sets up areas, categories, tariffs,',
    'companies and drivers.',
  ].join('\n'),
  options: {
    name: { value: 'name', required: true, help: 'the name of the central', mistake: notBlank },
    'time-zone': {
      value: 'zone',
      required: true,
      help: 'the time zone of the central, e.g. America/Sao_Paulo',
      mistake: (zone) => (isTimeZone(zone) ? undefined : 'must be a time zone like America/Sao_Paulo'),
    },
  },
  run: ({ name, 'time-zone': timeZone }) =>
    withStore(async ({ db }) => {
      const central = { name: plainName(name), timeZone };
      console.log(await createCentral({ db: recordingNewCentral(db, central) }, central));
      return 0;
    }),
});

export const createKeyCommand = command({
  details: [
    'Prints only the key on stdout. It is shown once: the database stores only its digest. Running services accept',
    'it at once.',
  ].join('\n'),
  options: {
    central: { value: 'number', required: true, help: 'the central of the key', mistake: positiveInteger },
    label: { value: 'text', required: true, help: 'a note on who uses the key', mistake: notBlank },
    sandbox: { help: 'a key of the sandbox of the central, beginning with teste_' },
  },
  run: ({ central, label, sandbox }) =>
    withExistingStore(async ({ db }) => {
      const centralId = Number(central);
      if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
      const name = plainName(label);
      const recordingDb = recording(db, byCommandLine(centralId), {
        readBefore: async () => null,
        describe: (_tx, before, id: number) => ({
          subject: 'key',
          id,
          name,
          before,
          after: { descricao: name, ...(sandbox && { ambiente_de_teste: true }) },
        }),
      });
      const create = sandbox ? createSandboxKey : createApiKey;
      const { key } = await create({ db: recordingDb, clock: systemClock }, centralId, name);
      console.log(key);
      return 0;
    }),
});

const LENGTH_MIN = 8;
const LENGTH_MAX = 200;

/** Asks twice on a terminal without echo; reads the first line of a pipe or file. */
export async function readPassword(prompt: string): Promise<string> {
  const password = process.stdin.isTTY ? await askTwice(prompt) : await firstLine();
  if (password.length < LENGTH_MIN || password.length > LENGTH_MAX)
    throw new CommandFailed(`a password must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  return password;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return line;
    throw new CommandFailed('no password on stdin');
  } finally {
    lines.close();
  }
}

async function askTwice(prompt: string): Promise<string> {
  const password = await askHidden(prompt);
  if ((await askHidden('Repeat the password: ')) !== password)
    throw new CommandFailed('the two passwords differ');
  return password;
}

async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  // readline echoes the input to its output; this output discards it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  terminal.once('SIGINT', () => reject(new CommandFailed('interrupted')));
  terminal.once('close', () => reject(new CommandFailed('no password was given')));
  try {
    return await Promise.race([terminal.question(''), interrupted]);
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

export const createUserCommand = command({
  details: [
    'operator    runs the central: everything, unless the central has its operators run the day only',
    'supervisor  runs the central: everything, always',
    'finance     closings, wallets and drivers’ accounts; reads the rest',
    'attendant   places and follows orders',
    'viewer      reads, changes nothing',
    'integrator  sees the whole central through the integration interface',
    'manager     sees and changes one company (requires --company)',
    'driver      acts for one driver (requires --driver)',
    '',
    'The password is asked for without echo, or read from stdin when stdin is not a terminal. It is never an argument,',
    'because arguments are visible to every user of the machine.',
  ].join('\n'),
  options: {
    central: { value: 'number', required: true, help: 'the central of the login', mistake: positiveInteger },
    name: {
      value: 'name',
      required: true,
      help: 'the user name; without ":"',
      mistake: (name) =>
        formats.username!(name) ? undefined : 'must have 1 to 100 visible characters, without spaces or ":"',
    },
    role: {
      value: 'role',
      required: true,
      help: roles.join(', '),
      mistake: (role) => (isRole(role) ? undefined : `must be one of: ${roles.join(', ')}`),
    },
    company: { value: 'number', help: 'the manager’s company', mistake: positiveInteger },
    driver: { value: 'number', help: 'the driver of the login', mistake: positiveInteger },
  },
  async run({ central, name, role, company, driver }) {
    if (!isRole(role)) throw new TypeError(role);
    assertOwner('manager', role, 'company', company);
    assertOwner('driver', role, 'driver', driver);
    const password = await readPassword(`Password for ${name}: `);
    return withExistingStore(async ({ db }) => {
      const centralId = Number(central);
      if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
      const user = {
        username: name,
        password,
        role,
        companyId: company ? Number(company) : null,
        driverId: driver ? Number(driver) : null,
      };
      const recordingDb = recording(db, byCommandLine(centralId), {
        readBefore: async () => null,
        describe: (_tx, before, id: number) => ({
          subject: 'user',
          id,
          name,
          before,
          after: shownUser(user),
        }),
      });
      const id = await recordingDb.begin((tx) => createUser(tx, centralId, user)).catch(explainMissing);
      console.log(`user ${id} (${name}) created`);
      return 0;
    });
  },
});

const byCommandLine = (centralId: number) => commandLineActor(centralId, systemClock.now());

/** The actor contains the id of the central, which is known only after the creation. */
const recordingNewCentral = (db: Db, { name, timeZone }: NewCentral): Db =>
  recording(db, byCommandLine, {
    readBefore: async () => null,
    describe: (_tx, before, id: number) => ({
      subject: 'central',
      id,
      name,
      before,
      after: { nome: name, fuso_horario: timeZone },
    }),
  });

const shownUser = ({ username, role, companyId = null, driverId = null }: NewUser) => ({
  usuario: username,
  perfil: roleCode[role],
  empresa_id: companyId,
  condutor_id: driverId,
  ativo: true,
});

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

function assertOwner(needing: Role, role: Role, option: string, given: string | undefined): void {
  if (role === needing && given === undefined)
    throw new UsageMistakes([`a ${role} needs --${option} <number>`]);
  if (role !== needing && given !== undefined)
    throw new UsageMistakes([`--${option} is only for a ${needing}`]);
}

function explainMissing(error: unknown): never {
  const kind = error instanceof Refusal ? error.kind : undefined;
  if (kind === 'company-not-found') throw new CommandFailed('this central has no such company');
  if (kind === 'driver-not-found') throw new CommandFailed('this central has no such driver');
  throw error;
}
