import type { TSchema } from 'typebox';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** An event type: its label, the schema of its `data`, and an example of that. */
export interface WebhookText {
  label: { pt: string; en: string };
  data: TSchema;
  example: unknown;
}

/** The webhook request, in the terms of Standard Webhooks. */
const HEADERS = [
  header('webhook-id', 'Identifica o evento; é o mesmo em toda repetição do envio.'),
  header('webhook-timestamp', 'Momento do envio, em segundos desde 1970.'),
  header('webhook-signature', '`v1,` e o HMAC-SHA256, em base64, de `id.timestamp.corpo` com o segredo.'),
];

export const describeWebhooks = (texts: Readonly<Record<string, WebhookText>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [type, { post: describeWebhook(type, text) }]),
  );

const describeWebhook = (type: string, { label, data, example }: WebhookText) => ({
  operationId: `webhook_${type.replace(/\W/g, '_')}`,
  summary: label.pt,
  'x-label': label,
  description:
    'Enviado aos webhooks registrados para este tipo. Responda com 2xx em poucos segundos; qualquer outra resposta é tentada de novo por mais de 24 horas. `data.sequencia` cresce a cada evento da mesma entrega: descarte o que chegar com um número menor.',
  tags: ['Webhooks'],
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: { const: type },
            timestamp: { type: 'string', description: 'quando aconteceu, ISO 8601 em UTC' },
            data,
          },
        },
        example: { type, timestamp: '2026-11-16T15:00:00.000Z', data: example },
      },
    },
  },
  responses: { '2XX': { description: 'Recebido' } },
});
