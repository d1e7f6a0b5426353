import type { Command } from './command.ts';
import { createCentralCommand } from './createCentralCommand.ts';
import { createKeyCommand } from './createKeyCommand.ts';
import { createUserCommand } from './createUserCommand.ts';
import { demoCommand } from './demoCommand.ts';
import { migrateCommand } from './migrateCommand.ts';
import { serveCommand } from './serveCommand.ts';
import { workCommand } from './workCommand.ts';

/** All that `malote` can be asked, in the order of its help. */
export const commands: readonly Command[] = [
  serveCommand,
  workCommand,
  migrateCommand,
  demoCommand,
  createCentralCommand,
  createKeyCommand,
  createUserCommand,
];
