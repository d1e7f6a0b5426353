import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { safeRedaction, safeSerializers } from '../api/http/safeLog.ts';
import type { Config } from '../config.ts';

const safe = { serializers: safeSerializers, redact: safeRedaction };

/**
 * JSON lines on stdout for machines. On a terminal without a configured level, only warnings and errors are shown,
 * as plain lines on stderr.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  if (logLevel !== undefined || !process.stdout.isTTY)
    return pino({ ...safe, level: logLevel ?? 'info' }, linesOnStdout());
  return pino(
    { ...safe, level: 'warn', base: null },
    { write: (line) => void process.stderr.write(readable(line)) },
  );
}

const STDOUT = 1;
const LINES_LENGTH = 16 * 1024;
const LINES_LENGTH_MAX = 16 * 1024 * 1024;
const LINES_MS = 200;
const WAIT_MS = 10;
const WAITS_MAX = 100;
const NOTHING = Buffer.alloc(0);

/**
 * Lines are written in batches: one system call per line cost as much as half a request (27 of 110 µs, measured).
 * They are delayed by at most 200 ms, and the rest is written when the process ends.
 *
 * Lines that cannot be written are dropped, and the service continues: the disk of the log may be full, or its reader
 * gone. The destination of pino ends the process for that, and repeats the last write without an end.
 */
function linesOnStdout(): DestinationStream {
  let lines = '';
  /** The batch that is being written, or the part of it that a slow reader has not taken yet. */
  let batch = NOTHING;
  let isWriting = false;
  const flush = (): void => {
    if (isWriting) return;
    if (batch.length === 0) {
      batch = Buffer.from(lines);
      lines = '';
    }
    if (batch.length === 0) return;
    isWriting = true;
    write(STDOUT, batch, (error, length) => {
      isWriting = false;
      if (!error) batch = batch.subarray(length);
      else if (!isFullPipe(error)) batch = NOTHING;
      if (batch.length > 0) setTimeout(flush, WAIT_MS).unref();
    });
  };
  setInterval(flush, LINES_MS).unref();
  process.on('exit', () => writeLastLines(Buffer.concat([isWriting ? NOTHING : batch, Buffer.from(lines)])));
  return {
    write(line) {
      if (lines.length < LINES_LENGTH_MAX) lines += line;
      if (lines.length >= LINES_LENGTH && batch.length === 0) flush();
    },
  };
}

/** Waits for a slow reader, but not for one that has stopped reading. */
function writeLastLines(lines: Buffer): void {
  let written = 0;
  let waits = 0;
  while (written < lines.length && waits < WAITS_MAX)
    try {
      written += writeSync(STDOUT, lines, written);
      waits = 0;
    } catch (error) {
      if (!isFullPipe(error)) return;
      waits += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
}

const isFullPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** An uncaught exception ends the process; it is logged too. */
export function logLastWords(log: Logger): void {
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'bug'));
}

const ERROR = 50;
const NAMES: Record<number, string> = { 40: 'warning', [ERROR]: 'error', 60: 'fatal' };

function readable(line: string): string {
  const { time, level, msg, err } = JSON.parse(line);
  const clock = new Date(time).toLocaleTimeString('en-GB');
  const reason = err ? ` (${err.code ?? err.type})` : '';
  // On a terminal, a warning is shown without its stack; an error keeps it.
  const place = err && level >= ERROR ? `\n${err.stack}` : '';
  return `${clock} ${NAMES[level] ?? level}: ${msg ?? ''}${reason}${place}\n`;
}
