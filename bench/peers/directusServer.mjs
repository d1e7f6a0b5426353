import { registerHooks } from 'node:module';

/**
 * Directus as `directus start` starts it. Its package isolated-vm, which runs extensions in a sandbox, would have to be
 * compiled. There are no extensions here, so an empty module replaces it and no compiler is needed.
 */
const EMPTY = new URL('./unused.cjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm' ? { url: EMPTY, shortCircuit: true } : next(specifier, context),
});

process.argv.splice(2, 0, process.env.DIRECTUS_COMMAND ?? 'start');
await import('@directus/api/cli/run.js');
