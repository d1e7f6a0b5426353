import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { safeRedaction, safeSerializers } from '../http/safeLog.ts';

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

const LINES_BYTES = 4 * 1024;
const LINES_MS = 200;

/**
 * Lines are written in batches: one system call per line cost as much as half a request (27 of 110 µs, measured).
 * They are delayed by at most 200 ms, and the rest is written when the process ends.
 */
function linesOnStdout(): DestinationStream {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: LINES_BYTES });
  setInterval(() => stdout.flush(), LINES_MS).unref();
  return stdout;
}

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
