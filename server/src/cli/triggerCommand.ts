import { EVENT_TYPE_NAMES } from '../api/json/eventTypes.ts';
import { CommandFailed, command, positiveInteger } from './command.ts';
import { ask, explainRefusal, reasonOf, refusalText, serviceOf, serviceOptions } from './listen/service.ts';

const TIME_LIMIT_MS = 30_000;

export const triggerCommand = command({
  details: [
    'Sends an example of an event to the "malote listen" of the same token, or with --webhook to that webhook. Nothing',
    'changes in the central, and nobody else receives it. The body has "test": true beside the example.',
    'The token needs the scope webhooks.',
    '',
    'Types:',
    ...EVENT_TYPE_NAMES.map((name) => `  ${name}`),
  ].join('\n'),
  options: {
    type: { value: 'type', required: true, positional: true, help: 'the type of the event' },
    webhook: {
      value: 'number',
      help: 'send it to this webhook instead, whatever its types',
      mistake: positiveInteger,
    },
    ...serviceOptions,
  },
  async run({ type, webhook, token, url }) {
    const service = serviceOf({ token, url });
    const response = await ask(service, webhook ? `/webhooks/${webhook}/teste` : '/eventos/teste', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tipo: type }),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new CommandFailed(`no answer from ${service.url}: ${reasonOf(error)}`);
    });
    if (response.status !== 200) {
      const refusal = await explainRefusal(service, response.clone());
      throw refusal ?? new CommandFailed(await refusalText(response));
    }
    const { data } = (await response.json()) as { data: { evento_id?: string; envio_id?: string } };
    console.log(
      webhook
        ? `${type} sent to webhook ${webhook}, message ${data.envio_id}`
        : `${type} sent to the listeners of this token, event ${data.evento_id}`,
    );
    return 0;
  },
});
