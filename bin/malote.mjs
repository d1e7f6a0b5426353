#!/usr/bin/env node
// Runs on every Node since 14. The service needs a newer one, which npm has installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pinned, root, whyNotRunning } from './pinnedNode.mjs';

const NODE_MAJOR_MIN = 26;
// The same flag as in package.json. It saves memory, see docs/decisions/0017-memory.md.
const FLAGS = ['--max-semi-space-size=16'];
// A checkout runs its sources, even where it has been built: a build may be older than they are.
const source = join(root, 'server', 'src', 'main.ts');
const main = existsSync(source) ? source : join(root, 'dist', 'server', 'src', 'main.js');
// Keeps compiled code, which otherwise takes half of each start. A folder that is not writable is skipped.
const compiled = join(root, 'node_modules', '.cache', 'compiled');
const recent = Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN;

if (recent) {
  module.enableCompileCache(compiled);
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(main).href);
} else if (pinned) {
  const child = spawn(pinned, FLAGS.concat('--enable-source-maps', main).concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign({ NODE_COMPILE_CACHE: compiled, MALLOC_MMAP_THRESHOLD_: '131072' }, process.env),
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`malote: cannot run ${pinned}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    // The system's loader ends a program that lacks a library with 127.
    const why = code === 127 ? whyNotRunning() : undefined;
    if (why) console.error(why);
    process.exit(code === null ? 1 : code);
  });
} else {
  console.error(
    `malote needs Node ${NODE_MAJOR_MIN}, and this is ${process.versions.node}: install it, or install malote with its optional packages, which bring it.`,
  );
  process.exitCode = 1;
}
