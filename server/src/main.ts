import { runCommandLine } from './cli/commandLine.ts';
import { commands } from './cli/commands.ts';
import { programVersion } from './platform/kernel/programFiles.ts';

const args = process.argv.slice(2);
process.exit(await runCommandLine(commands, programVersion, args.length > 0 ? args : ['serve']));
