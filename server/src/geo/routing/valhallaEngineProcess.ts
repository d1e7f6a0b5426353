import { createRequire } from 'node:module';

/**
 * The child process of the engine: `node valhallaEngineProcess.ts <module> <config>`. Receives requests from its
 * parent and answers them as they finish; started by valhallaEngine.ts, which explains why it is a separate
 * process.
 */
export interface EngineQuestion {
  id: number;
  action: 'sources_to_targets' | 'route' | 'locate';
  query: string;
}

export type EngineAnswer = { id: number; text: string } | { id: number; refused: string };

interface Actor {
  matrix(query: string): Promise<string>;
  route(query: string): Promise<string>;
  locate(query: string): Promise<string>;
}

const [module = '', config = ''] = process.argv.slice(2);
const valhalla = createRequire(import.meta.url)(module) as { Actor: new (config: string) => Actor };
const actor = new valhalla.Actor(config);

const answers: Record<EngineQuestion['action'], (query: string) => Promise<string>> = {
  sources_to_targets: (query) => actor.matrix(query),
  route: (query) => actor.route(query),
  locate: (query) => actor.locate(query),
};

process.on('message', ({ id, action, query }: EngineQuestion) => {
  answers[action](query).then(
    (text) => reply({ id, text }),
    (error: Error) => reply({ id, refused: error.message }),
  );
});

function reply(answer: EngineAnswer): void {
  if (process.connected) process.send?.(answer);
}

// A signal to the whole group reaches this child too, while its parent still finishes its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// The parent has ended, so no more requests come. The engine holds nothing that an orderly exit would save, and
// exiting normally while its threads search can crash.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
