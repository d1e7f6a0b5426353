import type { Api, WebhookText } from './api.ts';
import { eventBodyExample, eventBodySchema, INTERFACE_VERSION, WEBHOOK_HEADERS } from './openapi.ts';

/** The path of the live stream of these events. */
const STREAM = '/eventos';

const refTo = (...steps: string[]) => ({
  $ref: `#/${steps.map((step) => step.replaceAll('/', '~1')).join('/')}`,
});

/**
 * The AsyncAPI 3.0 document of all events: the same types, schemas and examples as those of the OpenAPI document, by
 * webhook and as a live stream.
 */
export function describeEvents(apis: readonly Api[], publicUrl: string | undefined) {
  const api = apis.find(({ webhooks }) => webhooks);
  const texts = Object.entries(api?.webhooks ?? {});
  const messages = (part: object) =>
    Object.fromEntries(texts.map(([type, text]) => [type, { ...describeMessage(type, text), ...part }]));
  const hasStream = api?.endpoints.some(({ isLive, path }) => isLive && path === STREAM);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Malote: eventos de entregas',
      version: INTERFACE_VERSION,
      description:
        'Tudo o que muda é um evento. Os eventos chegam por webhook, conforme a convenção Standard Webhooks, ou por uma conexão aberta (server-sent events), com o mesmo corpo. A referência das requisições está em `/openapi.json` e em `/docs`.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    ...(publicUrl && { servers: { malote: describeServer(publicUrl) } }),
    channels: {
      webhook: {
        // The address of each webhook is chosen by the integrator who registers it.
        address: null,
        title: 'Webhook',
        description:
          'O endereço cadastrado em `POST /api/v2/integracao/webhooks`. Responda com 2xx em até 10 segundos; qualquer outra resposta é tentada de novo por mais de 24 horas.',
        messages: messages({ traits: [refTo('components', 'messageTraits', 'assinado')] }),
      },
      ...(hasStream && {
        eventos: {
          address: `${api!.base}${STREAM}`,
          title: 'Conexão aberta',
          description:
            'Server-sent events: o `data` de cada mensagem é o corpo; o `id` traz o id do evento e, depois de um ponto, o `webhook-id`. `Last-Event-ID` continua de onde parou.',
          messages: messages({}),
        },
      }),
    },
    operations: {
      enviarWebhook: {
        action: 'send',
        channel: refTo('channels', 'webhook'),
        summary: 'O serviço envia os eventos aos webhooks',
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      ...(hasStream && {
        transmitirEventos: {
          action: 'send',
          channel: refTo('channels', 'eventos'),
          summary: 'O serviço transmite os eventos a quem está conectado',
          bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
        },
      }),
    },
    components: {
      schemas: Object.fromEntries(texts.map(([type, { data }]) => [type, eventBodySchema(type, data)])),
      messageTraits: { assinado: { headers: describeHeaders() } },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'O token de um programa (`malote_…`).' },
      },
    },
  };
}

const describeMessage = (type: string, { label, example }: WebhookText) => ({
  name: type,
  title: label.pt,
  'x-label': label,
  payload: refTo('components', 'schemas', type),
  examples: [{ name: 'exemplo', payload: eventBodyExample(type, example) }],
});

function describeServer(publicUrl: string) {
  const { host, protocol, pathname } = new URL(publicUrl);
  return {
    host,
    protocol: protocol.slice(0, -1),
    ...(pathname !== '/' && { pathname: pathname.replace(/\/$/, '') }),
    security: [refTo('components', 'securitySchemes', 'bearer')],
  };
}

const describeHeaders = () => ({
  type: 'object',
  required: WEBHOOK_HEADERS.map(({ name }) => name),
  properties: Object.fromEntries(
    WEBHOOK_HEADERS.map(({ name, description, schema }) => [name, { ...schema, description }]),
  ),
});
