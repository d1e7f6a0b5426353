import type { Listed } from './command.ts';

/** All commands, in the order of the help. */
export const commands: readonly Listed[] = [
  {
    name: 'serve',
    summary: 'serve HTTP and run background work',
    load: async () => (await import('./serveCommand.ts')).serveCommand,
  },
  {
    name: 'work',
    summary: 'run background work only, without HTTP',
    load: async () => (await import('./workCommand.ts')).workCommand,
  },
  {
    name: 'migrate',
    summary: 'bring the database schema up to date',
    load: async () => (await import('./migrateCommand.ts')).migrateCommand,
  },
  {
    name: 'demo',
    summary: 'create the demonstration in an empty database',
    load: async () => (await import('./demoCommand.ts')).demoCommand,
  },
  {
    name: 'demo remove',
    summary: 'remove the public keys and passwords of the demonstration',
    load: async () => (await import('./demoCommand.ts')).removeDemoCommand,
  },
  {
    name: 'central create',
    summary: 'create a central (bandeira)',
    load: async () => (await import('./createCommands.ts')).createCentralCommand,
  },
  {
    name: 'key create',
    summary: 'create an API key for a central',
    load: async () => (await import('./createCommands.ts')).createKeyCommand,
  },
  {
    name: 'token create',
    summary: 'create a token with which a program works in a central',
    load: async () => (await import('./tokenCommands.ts')).createTokenCommand,
  },
  {
    name: 'token list',
    summary: 'list the programs of a central',
    load: async () => (await import('./tokenCommands.ts')).listTokensCommand,
  },
  {
    name: 'token revoke',
    summary: 'shut a program out at once',
    load: async () => (await import('./tokenCommands.ts')).revokeTokenCommand,
  },
  {
    name: 'user create',
    summary: 'create a login for a central',
    load: async () => (await import('./createCommands.ts')).createUserCommand,
  },
  {
    name: 'listen',
    summary: 'show events as they happen, and post them to a local program',
    load: async () => (await import('./listenCommand.ts')).listenCommand,
  },
  {
    name: 'trigger',
    summary: 'send an example of an event, to try a program that receives it',
    load: async () => (await import('./triggerCommand.ts')).triggerCommand,
  },
  {
    name: 'privacy export',
    summary: 'print all stored data about a person as JSON',
    load: async () => (await import('./privacyCommands.ts')).exportPersonCommand,
  },
  {
    name: 'privacy erase',
    summary: 'remove a person’s data from everything that has ended',
    load: async () => (await import('./privacyCommands.ts')).erasePersonCommand,
  },
  {
    name: 'reports rebuild',
    summary: 'count the history of a central again for its reports',
    load: async () => (await import('./reportsCommands.ts')).rebuildReportsCommand,
  },
  {
    name: 'backup',
    summary: 'write the embedded database to a file while it runs',
    load: async () => (await import('./backupCommands.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'load a backup into an empty data folder',
    load: async () => (await import('./backupCommands.ts')).restoreCommand,
  },
  {
    name: 'addresses import',
    summary: 'import streets and house numbers from CNEFE or OpenStreetMap',
    load: async () => (await import('./addressesCommands.ts')).importAddressesCommand,
  },
  {
    name: 'addresses status',
    summary: 'show which addresses are loaded',
    load: async () => (await import('./addressesCommands.ts')).addressesStatusCommand,
  },
  {
    name: 'roads import',
    summary: 'import roads from an OpenStreetMap extract',
    load: async () => (await import('./roadsCommands.ts')).importRoadsCommand,
  },
  {
    name: 'roads status',
    summary: 'show which roads are loaded',
    load: async () => (await import('./roadsCommands.ts')).roadsStatusCommand,
  },
  {
    name: 'conformance integration',
    summary: 'check that a server keeps the contract of the integration interface',
    load: async () => (await import('./conformanceCommand.ts')).integrationConformanceCommand,
  },
];
