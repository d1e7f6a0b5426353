import type { Listed } from './command.ts';

/** All that `malote` can be asked, in the order of its help. */
export const commands: readonly Listed[] = [
  {
    name: 'serve',
    summary: 'answer HTTP, and do the work that falls due',
    load: async () => (await import('./serveCommand.ts')).serveCommand,
  },
  {
    name: 'work',
    summary: 'only do the work that falls due, without HTTP',
    load: async () => (await import('./workCommand.ts')).workCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date',
    load: async () => (await import('./migrateCommand.ts')).migrateCommand,
  },
  {
    name: 'demo',
    summary: 'make the demonstration centrals on an empty database',
    load: async () => (await import('./demoCommand.ts')).demoCommand,
  },
  {
    name: 'demo remove',
    summary: 'take away the demonstration’s keys and passwords',
    load: async () => (await import('./demoCommand.ts')).removeDemoCommand,
  },
  {
    name: 'central create',
    summary: 'create a central (bandeira)',
    load: async () => (await import('./createCommands.ts')).createCentralCommand,
  },
  {
    name: 'key create',
    summary: 'create an api-key of a central',
    load: async () => (await import('./createCommands.ts')).createKeyCommand,
  },
  {
    name: 'user create',
    summary: 'create a login of a central',
    load: async () => (await import('./createUserCommand.ts')).createUserCommand,
  },
  {
    name: 'privacy export',
    summary: 'print all that is kept about a person, as JSON',
    load: async () => (await import('./privacyCommands.ts')).exportPersonCommand,
  },
  {
    name: 'privacy erase',
    summary: 'remove a person’s data from all that has ended',
    load: async () => (await import('./privacyCommands.ts')).erasePersonCommand,
  },
  {
    name: 'roads import',
    summary: 'load real roads from an OpenStreetMap extract',
    load: async () => (await import('./roadsCommands.ts')).importRoadsCommand,
  },
  {
    name: 'roads status',
    summary: 'say which roads are loaded',
    load: async () => (await import('./roadsCommands.ts')).roadsStatusCommand,
  },
];
