import { createHmac } from 'node:crypto';
import { urlFault } from '../events/webhooks/publicAddress.ts';
import { isReceived } from '../events/webhooks/webhook.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { command } from './command.ts';
import { followService } from './listen/followService.ts';
import { forwardEvents, type Outcome } from './listen/forwardEvents.ts';
import { type ListenedEvent, listenedEvent } from './listen/listenedEvent.ts';
import { serviceOf, serviceOptions } from './listen/service.ts';
import { pointOf, sinceMistake } from './listen/since.ts';
import { hearStopSignals } from './stopSignals.ts';

const STOP_SECONDS = 5;
const TYPE_WIDTH = 28;

export const listenCommand = command({
  details: [
    'Shows the events of a service as they happen, and posts each to a program on this machine exactly as a webhook would:',
    'the same body, the headers of Standard Webhooks, in order for each delivery, again after 1, 5 and 30 seconds when',
    'the program does not answer with 2xx within 10 seconds. Then the event is skipped. The secret of the signatures is',
    'printed at the start; it stays the same for the same token.',
    '',
    'The token needs the scope watch, and webhooks for "malote trigger". The token of a company gets the events of that',
    'company. Positions of drivers are sent to webhooks only.',
    '',
    'A lost connection is opened again and continues after the last event. One line on stdout for each attempt: the time,',
    'the type, the delivery, the answer, its time, and the id of the event, from which --since continues. Ctrl-C ends it.',
  ].join('\n'),
  options: {
    forward: {
      value: 'address',
      help: 'where to post the events, e.g. http://localhost:8080/hook; without it they are only shown',
      mistake: (text: string) =>
        urlFault(text, true) ? 'must be an http address without a password' : undefined,
    },
    types: { value: 'list', help: 'only these types, e.g. entrega.status,programada.disparada' },
    since: {
      value: 'point',
      help: 'begin with past events: a time ago (2h), the id of an event, or an instant',
      mistake: sinceMistake,
    },
    bodies: { help: 'print the body of each event on a line of its own' },
    ...serviceOptions,
  },
  async run({ forward, types, since, bodies, token, url }) {
    const service = serviceOf({ token, url });
    const ending = new AbortController();
    const { signal } = ending;
    void hearStopSignals(STOP_SECONDS).asked.then(() => ending.abort(new Error('stopped')));
    const secret = secretFor(service.token);
    const forwarder = forward
      ? forwardEvents({
          target: forward,
          secret,
          signal,
          onOutcome: (outcome) => console.log(lineOf(outcome)),
        })
      : undefined;
    if (forward) {
      console.error(`Events are posted to ${forward}`);
      console.error(`The secret of their signatures: ${secret}`);
    }
    await followService({
      service,
      types,
      since: since === undefined ? undefined : pointOf(since, systemClock.now()),
      signal,
      onOpen: (isFirst) => console.error(isFirst ? `Listening to ${service.url}` : 'Connected again'),
      onTrouble: (text) => console.error(`malote: ${text}`),
      async onMessage(message) {
        const event = listenedEvent(message);
        if (!forwarder) console.log(start(event) + event.id);
        if (bodies) console.log(event.body);
        await forwarder?.take(event);
      },
    });
    const { count = 0, afterId } = forwarder?.unfinished() ?? {};
    if (count > 0)
      console.error(
        `malote: ${count} events were not delivered; ${afterId ? `continue with --since ${afterId}` : 'start again with the same --since'}`,
      );
    return 0;
  },
});

/** The same for the same token, so that the local program keeps its configuration. It does not tell the token. */
const secretFor = (token: string): string =>
  `whsec_${createHmac('sha256', token).update('malote listen').digest('base64')}`;

/** The columns before the answer. */
const start = ({ type, about }: Pick<ListenedEvent, 'type' | 'about'>): string => {
  const time = systemClock.now().toZonedDateTimeISO(Temporal.Now.timeZoneId()).toPlainTime();
  return `${time.toString({ smallestUnit: 'second' })}  ${type.padEnd(TYPE_WIDTH)}${about.padEnd(8)}`;
};

function lineOf({ event, result, againInSeconds, attempts }: Outcome): string {
  const { status, durationMs, error } = result;
  const answer = status === null ? 'no answer' : String(status);
  const line = `${start(event)}${answer.padEnd(10)}${`${durationMs} ms`.padStart(9)}  ${event.id}`;
  if (isReceived(result)) return line;
  const why = error === null ? '' : `${error.replace(/\s+/g, ' ')}; `;
  return againInSeconds === null
    ? `${line}  ${why}skipped after ${attempts} attempts`
    : `${line}  ${why}again in ${againInSeconds} s`;
}
