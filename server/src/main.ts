import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from './cli/commandLine.ts';
import { commands } from './cli/commands.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

process.exit(await runCommandLine(commands, version, process.argv.slice(2)));
