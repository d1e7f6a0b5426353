import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { programModule } from '../../platform/kernel/programFiles.ts';
import { RoutingUnavailable } from './router.ts';
import { type AskValhalla, VALHALLA_CODES, ValhallaRefused } from './valhalla.ts';
import { valhallaConfig } from './valhallaConfig.ts';
import type { EngineAnswer, EngineQuestion } from './valhallaEngineProcess.ts';
import type { ValhallaPackage } from './valhallaPackage.ts';

/**
 * One Valhalla over one folder of tiles, in a child process.
 *
 * It does not run in the service's own process, although the package allows it. Its searches use the thread pool
 * of file reads, name look-ups and password checks (a file read behind 40 matrices took 2.3 s). Opened tiles stay
 * in memory (8 MB per switch for a small city). A search cannot be stopped, and a crash in native code ends the
 * process. A child process has its own pool, is discarded with its memory when the tiles change, and can be
 * killed.
 */
export interface ValhallaEngine {
  ask: AskValhalla;
  /** The id of the child process, while there is one. */
  readonly pid: number | undefined;
  /** Resolves when no caller waits for earlier requests and the child has ended. */
  close(): Promise<void>;
}

export interface EngineOptions {
  timeoutMs?: number;
  threads?: number;
}

interface Job {
  question: EngineQuestion;
  finish(answer: EngineAnswer): void;
  fail(reason: string): void;
}

const WAITING_MAX = 500;
/** A search that takes this many times the time-out will never end. */
const STUCK_TIMEOUTS = 6;

export function startValhallaEngine(
  { module }: Pick<ValhallaPackage, 'module'>,
  tiles: string,
  { timeoutMs = 3000, threads = Math.min(4, availableParallelism()) }: EngineOptions = {},
): ValhallaEngine {
  let child: ChildProcess | undefined;
  let lastId = 0;
  let closing: (() => void) | undefined;
  // Requests wait here and not in the child's pool, so that a request whose time is over is never started.
  const waiting = new Set<Job>();
  const running = new Map<number, { job: Job; stuck: NodeJS.Timeout }>();
  /** The requests of both whose caller still waits: a search continues after its time is over. */
  const awaited = new Set<Job>();

  function start(): ChildProcess {
    const started = fork(
      programModule('server/src/geo/routing/valhallaEngineProcess'),
      [module, JSON.stringify(valhallaConfig(tiles))],
      {
        // The engine gets nothing of the service's environment (passwords, URLs).
        env: { UV_THREADPOOL_SIZE: String(threads) },
        execArgv: [],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      },
    );
    let complaint = '';
    started.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-2000);
    });
    started.on('message', (answer: EngineAnswer) => {
      running.get(answer.id)?.job.finish(answer);
      finish(answer.id);
    });
    const gone = (why: string) => {
      if (child !== started) return;
      child = undefined;
      started.kill('SIGKILL');
      const lost = [...running.values()];
      for (const { job } of lost) finish(job.question.id);
      for (const { job } of lost) job.fail(why);
    };
    started.on('error', (error) => gone(`the routing engine cannot be started: ${error.message}`));
    started.on('exit', (code, signal) =>
      gone(`the routing engine ended (${signal ?? code})${complaint && `: ${complaint.trim()}`}`),
    );
    return started;
  }

  function next(): void {
    for (const job of waiting) {
      if (running.size >= threads) return;
      waiting.delete(job);
      child ??= start();
      wake(child);
      // The next request replaces the child; everything else it was working on is lost.
      const stuck = setTimeout(() => child?.kill('SIGKILL'), timeoutMs * STUCK_TIMEOUTS).unref();
      running.set(job.question.id, { job, stuck });
      child.send(job.question, (error) => {
        if (error) child?.kill('SIGKILL');
      });
    }
    if (running.size === 0 && child) rest(child);
  }

  function leave(job: Job): void {
    awaited.delete(job);
    if (awaited.size === 0) closing?.();
  }

  function finish(id: number): void {
    clearTimeout(running.get(id)?.stuck);
    running.delete(id);
    next();
  }

  return {
    get pid() {
      return child?.pid;
    },

    async ask(action, query) {
      if (closing) throw new RoutingUnavailable('the routing engine is closed');
      if (waiting.size >= WAITING_MAX) throw new RoutingUnavailable('the routing engine is overloaded');
      const question = { id: ++lastId, action, query: JSON.stringify(query) };
      const text = await new Promise<string>((resolve, reject) => {
        const job: Job = {
          question,
          finish(answer) {
            clearTimeout(timer);
            leave(job);
            if ('text' in answer) resolve(answer.text);
            else reject(refusal(answer.refused));
          },
          fail(reason) {
            clearTimeout(timer);
            leave(job);
            reject(new RoutingUnavailable(reason));
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(job);
          job.fail(`the routing engine did not answer within ${timeoutMs} ms`);
        }, timeoutMs);
        awaited.add(job);
        waiting.add(job);
        next();
      });
      return JSON.parse(text) as unknown;
    },

    async close() {
      if (awaited.size > 0)
        await new Promise<void>((resolve) => {
          closing = resolve;
        });
      closing = () => {};
      const ended = child;
      if (!ended) return;
      wake(ended);
      await new Promise((resolve) => ended.once('exit', resolve).kill('SIGKILL'));
    },
  };
}

/** An idle child does not keep the process alive. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  (child.stderr as { unref?: () => void } | null)?.unref?.();
}

function wake(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** The package passes on Valhalla's sentence but not its code. */
const CODE_OF_SENTENCE: [sentence: string, code: number][] = [
  ['No suitable edges near location', VALHALLA_CODES.noEdgeNear],
  ['No path could be found', VALHALLA_CODES.noPath],
  ['Path distance exceeds', VALHALLA_CODES.tooFarApart],
  ['unconnected regions', VALHALLA_CODES.unconnectedRegions],
];

function refusal(message: string): ValhallaRefused {
  const known = CODE_OF_SENTENCE.find(([sentence]) => message.includes(sentence));
  return new ValhallaRefused(known?.[1] ?? 0, message);
}
