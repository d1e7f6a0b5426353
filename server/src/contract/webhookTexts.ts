import type { WebhookText } from '../http/openapiWebhooks.ts';
import { eventTypes } from '../wire/eventTypes.ts';

/** The event types as the reference describes them. */
export const webhookTexts: Readonly<Record<string, WebhookText>> = Object.fromEntries(
  Object.values(eventTypes).map(({ name, label, data, example }) => [name, { label, data, example }]),
);
