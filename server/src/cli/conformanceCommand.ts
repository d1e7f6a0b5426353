import { CommandFailed, command } from './command.ts';
import { UsageMistakes } from './commandLine.ts';
import type { Result } from './conformance/check.ts';
import { Deviation } from './conformance/deviation.ts';
import type { Login } from './conformance/http.ts';
import { reportOf, writeReport } from './conformance/report.ts';
import { checks, runChecks } from './conformance/runChecks.ts';
import { type Given, openWorld, type World } from './conformance/world.ts';

const BASE = '/api/v2/integracao';

const point = (text: string): string | undefined =>
  /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/.test(text)
    ? undefined
    : 'must be a latitude and a longitude, such as -30.03,-51.23';

const options = {
  address: {
    value: 'address',
    required: true,
    positional: true,
    help: `the server, with or without ${BASE}`,
    mistake: (text: string) =>
      /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? undefined : 'must be an http address',
  },
  key: { value: 'api-key', required: true, help: 'the key of the central' },
  user: { value: 'name', required: true, help: 'a login of the central' },
  password: { value: 'text', required: true, help: 'its password' },
  manager: { value: 'name', help: 'a login of a company manager, for what only that one may do' },
  'manager-password': { value: 'text', help: 'its password' },
  company: {
    value: 'id',
    help: 'the company to estimate for (default: that of the manager, or of a listed delivery)',
  },
  pickup: {
    value: 'lat,lng',
    help: 'a point that the central serves (default: that of its latest delivery)',
    mistake: point,
  },
  destination: { value: 'lat,lng', help: 'another such point', mistake: point },
  'top-up': { help: 'allow one top-up of 0.01, which the contract cannot take back' },
  section: { value: 'number', help: 'check only this section of the contract, such as 4.4' },
  wait: { value: 'seconds', help: 'how long to wait for a dispatch (default: 60)', mistake: seconds },
  json: { help: 'print the report as JSON' },
} as const;

function seconds(text: string): string | undefined {
  return /^\d{1,4}$/.test(text) ? undefined : 'must be a number of seconds';
}

export const integrationConformanceCommand = command({
  details: [
    'Checks any server that claims the contract of the integration interface, from outside, over HTTP, and names the',
    'section of every deviation. It creates deliveries and scheduled deliveries of a test person, whose notes say so, and',
    'cancels them at the end. Run it against a test central: until they are cancelled, drivers may see them.',
    'Exit code: 0 when nothing deviates, 1 otherwise.',
  ].join('\n'),
  options,
  async run(given) {
    const world = await opened({
      base: baseOf(given.address),
      login: { key: given.key, user: given.user, password: given.password },
      manager: managerOf(given.key, given.manager, given['manager-password']),
      pickup: pointOf(given.pickup),
      destination: pointOf(given.destination),
      companyId: given.company,
      mayTopUp: given['top-up'],
      waitSeconds: Number(given.wait ?? 60),
    });
    const chosen = checks.filter(({ section }) => given.section === undefined || section === given.section);
    if (chosen.length === 0) throw new CommandFailed(`there is no check of section ${given.section}`);
    let results: Result[] = [];
    let left: string[] = [];
    try {
      results = await runChecks(world, chosen);
    } finally {
      left = await world.cleanUp();
    }
    const report = reportOf(given.address, results, { created: world.created, left });
    console.log(given.json ? JSON.stringify(report, null, 2) : writeReport(report));
    return report.failed === 0 ? 0 : 1;
  },
});

/** Without a delivery of its own a run can check nothing. */
async function opened(given: Given): Promise<World> {
  try {
    return await openWorld(given);
  } catch (error) {
    if (!(error instanceof Deviation)) throw error;
    throw new CommandFailed(`the first delivery could not be created: ${error.message}`);
  }
}

const baseOf = (address: string): string => {
  const plain = address.replace(/\/+$/, '');
  return plain.endsWith(BASE) ? plain : plain + BASE;
};

function managerOf(key: string, user: string | undefined, password: string | undefined): Login | undefined {
  if ((user === undefined) !== (password === undefined))
    throw new UsageMistakes(['--manager and --manager-password are given together']);
  return user === undefined || password === undefined ? undefined : { key, user, password };
}

const pointOf = (text: string | undefined): [string, string] | undefined =>
  text === undefined ? undefined : (text.split(',') as [string, string]);
