import type { Static, TSchema } from 'typebox';
import type { Caller, Role } from '../centrals/caller.ts';
import type { RefusalKind } from '../kernel/refusal.ts';
import type { AppDeps } from './appDeps.ts';
import type { JsonText, Language } from './envelope.ts';
import type { LiveAnswer } from './eventStreams.ts';
import type { Problem } from './invalidInput.ts';
import type { LimitGroup } from './rateLimits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface RequestContext {
  deps: AppDeps;
  caller: Caller;
}

export interface EndpointRequest<Body, Query> extends RequestContext {
  language: Language;
  /** Every `:name` of a path is a positive integer. */
  params: Readonly<Record<string, number>>;
  body: Body;
  query: Query;
  /** Where the outside reaches this service, without a trailing slash. */
  publicUrl: string;
  /** Counts against a further limit, e.g. one per company; refuses with rate-limited. */
  admit(group: LimitGroup, key: string | number): void;
}

export interface EndpointText {
  /** Its name in the OpenAPI document and in clients made from it; where there is none, one is made of the path. */
  operation?: string;
  /** Groups routes in the reference. */
  tag: string;
  /** The contract's section, e.g. '4.2', where there is one. */
  section?: string;
  summary: string;
  description?: string;
  /** Refusals worth telling an integrator about, beside those that every route can give. */
  refusals?: readonly RefusalKind[];
  queryExample?: Readonly<Record<string, string | number | boolean>>;
  bodyExample?: unknown;
  answerExample: unknown;
  /** Answers with server-sent events. */
  isLive?: boolean;
}

interface EndpointShape<Body extends TSchema, Query extends TSchema, Answer extends TSchema>
  extends EndpointText {
  method: Method;
  path: string;
  roles: readonly Role[];
  /** Where the role alone does not decide. Checked with it, before the body is read; refuses with not-allowed. */
  isAllowed?(caller: Caller): boolean;
  limit: LimitGroup;
  /** A POST that changes nothing: an Idempotency-Key has no meaning for it, and nothing of it is kept. */
  readOnly?: true;
  body?: Body;
  query?: Query;
  /** The whole answer with `success`; the handler gives it without. Of a live answer: one message's data. */
  answer: Answer;
  /**
   * What is wrong with a body beyond its schema, because it hangs on who asks or on how this service is set up;
   * told together with what the schema finds. It meets whatever was sent, so it must not trust the fields.
   */
  furtherProblems?(body: Readonly<Record<string, unknown>>, context: RequestContext): Problem[];
  /** The answer as an Idempotency-Key may keep and replay it, where the answer holds a secret. */
  withoutSecret?(answer: Omit<Static<Answer>, 'success'>): Omit<Static<Answer>, 'success'>;
  handle(
    request: EndpointRequest<Static<Body>, Static<Query>>,
  ): Promise<Omit<Static<Answer>, 'success'> | JsonText | LiveAnswer>;
}

/** A route with its types forgotten: what tables hold and the server installs. */
export type Endpoint = EndpointShape<TSchema, TSchema, TSchema>;

/** Ties a handler's types to its schemas. */
export const endpoint = <Body extends TSchema, Query extends TSchema, Answer extends TSchema>(
  shape: EndpointShape<Body, Query, Answer>,
): Endpoint => shape as unknown as Endpoint;

/** Whether it changes something, so that a repetition must be recognised. */
export const isWrite = ({ method, readOnly }: Pick<Endpoint, 'method' | 'readOnly'>): boolean =>
  method !== 'GET' && !readOnly;
