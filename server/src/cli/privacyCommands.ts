import { userInfo } from 'node:os';
import { findCentral } from '../centrals/centralStore.ts';
import { type ObjectStore, openObjectStore } from '../deliveries/proof/objectStore.ts';
import { commandLineActor, recording } from '../events/audit/recordChange.ts';
import { type Erased, erasePerson, exportPerson, type Identifier } from '../insight/privacy/person.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { parseCpf, parsePhone } from '../platform/kernel/documents.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { UsageMistakes } from './commandLine.ts';
import { withExistingStore } from './openStore.ts';

const options = {
  central: { value: 'number', required: true, help: 'the central', mistake: positiveInteger },
  cpf: {
    value: 'number',
    help: 'the CPF: finds persons who ordered for themselves',
    mistake: (text: string) => (parseCpf(text) === null ? 'is not a valid CPF' : undefined),
  },
  phone: {
    value: 'number',
    help: 'the phone with area code: finds recipients and persons who ordered',
    mistake: (text: string) => (parsePhone(text) === null ? 'is not a valid phone number' : undefined),
  },
  by: {
    value: 'name',
    help: 'who requests it, for the record (default: the user of this machine)',
    mistake: notBlank,
  },
} as const;

interface Asked {
  central: string;
  cpf: string | undefined;
  phone: string | undefined;
  by: string | undefined;
}

export const exportPersonCommand = command({
  details: [
    'Prints one JSON object with all data that the central stores about a person: the customer record, deliveries and',
    'scheduled deliveries, and the stops at which the person was the recipient. The request is recorded, with a digest',
    'instead of the CPF or phone.',
  ].join('\n'),
  options,
  run: (asked) =>
    forPerson(asked, async (deps, centralId, identifier, by) => {
      console.log(JSON.stringify(await exportPerson(deps, centralId, identifier, by), null, 2));
    }),
});

export const erasePersonCommand = command({
  details: [
    'Removes names, phones, CPF, notes, complements, door numbers and exact places from everything that has ended.',
    'Amounts, times and districts stay, so reports and receipts still add up. Deliveries in progress are not changed',
    'but counted: run the command again when they have ended. This cannot be undone. The request is recorded, with a',
    'digest instead of the CPF or phone.',
  ].join('\n'),
  options,
  run: (asked) =>
    forPerson(asked, async (deps, centralId, identifier, by) => {
      const db = recordingErasure(deps.db, centralId);
      const erased = await erasePerson({ ...deps, db }, centralId, identifier, by);
      console.log(
        `removed from ${erased.deliveries} deliveries, ${erased.scheduled} scheduled deliveries, ` +
          `${erased.stops} stops and ${erased.notes} notes of wallets; ${erased.persons} customers forgotten`,
      );
      if (erased.underWay > 0)
        console.log(
          `not touched, because they are still under way: ${erased.underWay}; run this again when they are over`,
        );
    }),
});

/** Records how much was removed, but not the person, whose digest is in privacy_actions. */
const recordingErasure = (db: Db, centralId: number): Db =>
  recording(db, commandLineActor(centralId, systemClock.now()), {
    readBefore: async () => null,
    describe: (_tx, _before, erased: Erased) => ({
      subject: 'personal_data',
      id: null,
      name: null,
      before: {
        entregas: erased.deliveries,
        programadas: erased.scheduled,
        paradas: erased.stops,
        observacoes: erased.notes,
        pessoas: erased.persons,
        enderecos_favoritos: erased.favourites,
      },
      after: null,
    }),
  });

async function forPerson(
  { central, cpf, phone, by }: Asked,
  work: (
    deps: Deps & { objectStore: ObjectStore | null },
    centralId: number,
    identifier: Identifier,
    by: string,
  ) => Promise<void>,
): Promise<number> {
  if ((cpf === undefined) === (phone === undefined))
    throw new UsageMistakes(['give either --cpf <number> or --phone <number>']);
  const identifier = {
    cpf: cpf === undefined ? null : parseCpf(cpf),
    phone: phone === undefined ? null : parsePhone(phone),
  };
  return withExistingStore(async ({ db }, config) => {
    const centralId = Number(central);
    if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
    const objectStore = config.objectStore ? openObjectStore(config.objectStore) : null;
    await work({ db, clock: systemClock, objectStore }, centralId, identifier, by ?? userInfo().username);
    return 0;
  });
}
