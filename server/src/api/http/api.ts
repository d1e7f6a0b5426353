import type { TSchema } from 'typebox';
import type { Endpoint } from './endpoint.ts';

/** One of the interfaces of the service. */
export interface Api {
  /** The group's name in the reference. */
  title: string;
  base: string;
  endpoints: readonly Endpoint[];
  /** Each entry of `errors` names its kind. The contract forbids this for the integration interface. */
  kindInErrors?: true;
  /** The typed client has a method for each of its operations. */
  hasClient?: true;
  /** Its schemas are compiled right after the start; those of others with the first request of each kind. */
  isPreparedAtStart?: true;
  /** The types of events that it reports by webhook. */
  webhooks?: Readonly<Record<string, WebhookText>>;
}

/** An event type: its label, the schema of its `data`, and an example of that. */
export interface WebhookText {
  label: { pt: string; en: string };
  data: TSchema;
  example: unknown;
}
