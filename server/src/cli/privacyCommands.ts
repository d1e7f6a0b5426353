import { userInfo } from 'node:os';
import { findCentral } from '../centrals/centralStore.ts';
import { systemClock } from '../kernel/clock.ts';
import { parseCpf, parsePhone } from '../kernel/documents.ts';
import type { Deps } from '../postgres/deps.ts';
import { erasePerson } from '../privacy/erasePerson.ts';
import { exportPerson } from '../privacy/exportPerson.ts';
import type { Identifier } from '../privacy/person.ts';
import { CommandFailed, command, notBlank, positiveInteger } from './command.ts';
import { withStore } from './openStore.ts';
import { UsageMistakes } from './readOptions.ts';

const options = {
  central: { value: 'number', required: true, help: 'in which central', mistake: positiveInteger },
  cpf: {
    value: 'number',
    help: 'of whom, by CPF: those who ordered for themselves',
    mistake: (text: string) => (parseCpf(text) === null ? 'is no valid CPF' : undefined),
  },
  phone: {
    value: 'number',
    help: 'of whom, by phone with area code: recipients, and those who ordered',
    mistake: (text: string) => (parsePhone(text) === null ? 'is no valid phone number' : undefined),
  },
  by: {
    value: 'name',
    help: 'who asks, for the record (otherwise: the user of this machine)',
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
    'Prints one JSON object with everything the central keeps about a person: who ordered, their deliveries and',
    'scheduled deliveries, and the stops at which they were the recipient. That it was asked for is recorded, with',
    'a digest of the CPF or phone in place of it.',
  ].join('\n'),
  options,
  run: (asked) =>
    forPerson(asked, async (deps, centralId, identifier, by) => {
      console.log(JSON.stringify(await exportPerson(deps, centralId, identifier, by), null, 2));
    }),
});

export const erasePersonCommand = command({
  details: [
    'Removes names, phones, CPF, notes, complements, door numbers and exact places from whatever has ended. Money,',
    'times and districts stay, so reports and receipts still add up. What is under way is left alone and counted:',
    'run it again when that is over. There is no way back. That it was done is recorded, with a digest of the CPF',
    'or phone in place of it.',
  ].join('\n'),
  options,
  run: (asked) =>
    forPerson(asked, async (deps, centralId, identifier, by) => {
      const erased = await erasePerson(deps, centralId, identifier, by);
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

async function forPerson(
  { central, cpf, phone, by }: Asked,
  work: (deps: Deps, centralId: number, identifier: Identifier, by: string) => Promise<void>,
): Promise<number> {
  if ((cpf === undefined) === (phone === undefined))
    throw new UsageMistakes(['give either --cpf <number> or --phone <number>']);
  const identifier = {
    cpf: cpf === undefined ? null : parseCpf(cpf),
    phone: phone === undefined ? null : parsePhone(phone),
  };
  return withStore(async ({ db }) => {
    const centralId = Number(central);
    if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
    await work({ db, clock: systemClock }, centralId, identifier, by ?? userInfo().username);
    return 0;
  });
}
