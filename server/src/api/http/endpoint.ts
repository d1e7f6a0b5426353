import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import type { Permission } from '../../centrals/permissions.ts';
import type { ObjectStore } from '../../deliveries/proof/objectStore.ts';
import type { ProofLinks } from '../../deliveries/proof/proofLinks.ts';
import type { Planner } from '../../dispatch/plans/planner.ts';
import type { LiveFeed } from '../../events/record/liveFeed.ts';
import type { Geocoders } from '../../geo/geocoding/geocoders.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Outcome } from '../../platform/kernel/outcome.ts';
import type { RefusalKind } from '../../platform/kernel/refusal.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { RowTexts } from '../../platform/postgres/rowTexts.ts';
import type { Deprecation } from './deprecation.ts';
import type { JsonText, Language, TaggedAnswer } from './envelope.ts';
import type { LiveAnswer } from './eventStreams.ts';
import type { FileAnswer } from './fileAnswer.ts';
import type { Problem } from './invalidInput.ts';
import type { FixedLimit, LimitGroup } from './rateLimits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The limit of an endpoint that declares no other. */
export const BODY_BYTES_MAX = 64 * 1024;

export interface RequestContext {
  deps: AppDeps;
  caller: Caller;
}

export interface EndpointRequest<Body, Query> extends RequestContext {
  language: Language;
  /** Every `:name` in a path is a positive integer, except those of `texts`. */
  params: Readonly<Record<string, number>>;
  texts: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
  /** The body of an endpoint with `rawBody`. */
  raw?: RawContent | undefined;
  /** The items of an endpoint with `items`: each valid one, or what is wrong with it. */
  items?: readonly Outcome<unknown>[];
  /** The public address of this service, without a trailing slash. */
  publicUrl: string;
  /** The configured public address, which begins the links in webhooks. Empty without one: links are paths. */
  configuredUrl: string;
  /** Counts against an additional limit that no central can change; refuses with rate-limited. */
  admit(limit: FixedLimit, key: string): void;
  /** Counts this request as many against the endpoint's limit; refuses with rate-limited. */
  admitItems(count: number): void;
  /** Counts against the endpoint's `companyLimit`; refuses with rate-limited. */
  admitCompany(companyId: number): void;
}

/** A body that is not JSON, such as an image. */
export interface RawContent {
  mediaType: string;
  bytes: Buffer;
}

/** The bodies that an endpoint takes as they are. */
export interface RawBody {
  mediaTypes: readonly string[];
  bytesMax: number;
}

export interface EndpointText {
  /** The operation's name in the OpenAPI document and in generated clients; derived from the path when absent. */
  operation?: string;
  /** Groups endpoints in the reference. */
  tag: string;
  /** The section of the contract, e.g. '4.2', if any. */
  section?: string;
  summary: string;
  description?: string;
  /** Refusals to document, in addition to those that every endpoint can give. */
  refusals?: readonly RefusalKind[];
  textExamples?: Readonly<Record<string, string>>;
  queryExample?: Readonly<Record<string, string | number | boolean>>;
  bodyExample?: unknown;
  answerExample: unknown;
  /** Announced in headers, in the reference and in clients. */
  deprecated?: Deprecation;
  /** Answers with server-sent events. */
  isLive?: boolean;
  /** Answers with an ETag, and with 304 what the client already has. */
  isTagged?: boolean;
}

interface EndpointShape<Body extends TSchema, Query extends TSchema, Answer extends TSchema>
  extends EndpointText {
  method: Method;
  path: string;
  /** Checked before the body is read; refuses with not-allowed. */
  permission: Permission;
  limit: LimitGroup;
  /** A further limit for each company. The handler finds the company and calls `admitCompany`. */
  companyLimit?: LimitGroup;
  /** Reads or writes much: how many such requests run at the same time is bounded (heavyWork.ts). */
  isHeavy?: true;
  /**
   * A GET that takes no input. Concurrent requests of the same role in the same central and company share one answer,
   * which begins after all of them. It is compressed, so it must contain no secrets.
   */
  isShared?: true;
  /** A POST that changes nothing: it ignores the Idempotency-Key and stores nothing. */
  readOnly?: true;
  /** A write that may be repeated without harm: it ignores the Idempotency-Key and stores nothing. */
  isRepeatable?: true;
  body?: Body;
  /** The `:name`s of the path that are texts, with their schemas. */
  texts?: TObject;
  /**
   * The items of the list `entregas` are read in slices, counted against the limit, and handed over one by one (itemsReader.ts):
   * a wrong one refuses only itself. Such an endpoint is heavy.
   */
  items?: { furtherProblems(item: Readonly<Record<string, unknown>>, context: RequestContext): Problem[] };
  /** Its limit counts the things that a request asks for. */
  countsItems?: true;
  /** Where a valid body may be larger than `BODY_BYTES_MAX`. */
  bodyBytesMax?: number;
  /** Takes the body as it is, such as an image, instead of `body`. */
  rawBody?: RawBody;
  query?: Query;
  /**
   * The whole answer with `success`; the handler returns it without. For a live endpoint: the data of one message.
   */
  answer: Answer;
  /**
   * Problems of a body, or of a query where there is no body, beyond its schema, which depend on the caller or the
   * configuration. They are reported together with those of the schema. The function receives unchecked input, so it must
   * not trust the fields.
   */
  furtherProblems?(body: Readonly<Record<string, unknown>>, context: RequestContext): Problem[];
  /** The answer as an Idempotency-Key stores and replays it, for answers that contain a secret. */
  withoutSecret?(answer: Omit<Static<Answer>, 'success'>): Omit<Static<Answer>, 'success'>;
  handle(
    request: EndpointRequest<Static<Body>, Static<Query>>,
  ): Promise<
    | Omit<Static<Answer>, 'success'>
    | TaggedAnswer<Omit<Static<Answer>, 'success'>>
    | JsonText
    | LiveAnswer
    | FileAnswer
  >;
}

/** An endpoint without its type parameters, as the tables hold it. */
export type Endpoint = EndpointShape<TSchema, TSchema, TSchema>;

/** Derives a handler's types from its schemas, and gives the handler the name that stack traces and profiles show. */
export function endpoint<Body extends TSchema, Query extends TSchema, Answer extends TSchema>(
  shape: EndpointShape<Body, Query, Answer>,
): Endpoint {
  const { operation, method, path, handle } = shape;
  Object.defineProperty(handle, 'name', { value: operation ?? `${method} ${path}` });
  return shape as unknown as Endpoint;
}

/** Whether a repetition must be recognised: the answer is stored under the Idempotency-Key of the request. */
export const keepsKeys = ({
  method,
  readOnly,
  isRepeatable,
}: Pick<Endpoint, 'method' | 'readOnly' | 'isRepeatable'>): boolean =>
  method !== 'GET' && !readOnly && !isRepeatable;

export const bodyBytesMax = (endpoint: Pick<Endpoint, 'bodyBytesMax' | 'rawBody'>): number =>
  endpoint.rawBody?.bytesMax ?? endpoint.bodyBytesMax ?? BODY_BYTES_MAX;

/** The dependencies of every request. */
export interface AppDeps extends EstimateDeps {
  /** The clock of the service, where `clock` is that of the caller's central. */
  serviceClock: Clock;
  /** Finds addresses that come without coordinates. */
  geocoders: Geocoders;
  /** Waits until this process has applied every register change committed so far. */
  registersHeard(): Promise<void>;
  /** Committed events, as they happen. */
  live: LiveFeed;
  /** Computes plans in the background. */
  planner: Planner;
  /** Allows webhooks to this machine and its private network: in the demonstration and in tests only. */
  allowPrivateWebhooks: boolean;
  /** JSON texts of rows that this process has read before. */
  rowTexts: RowTexts;
  /** Signs the links under which proof is read. */
  proofLinks: ProofLinks;
  /** The store of images of proof. Null: they are in the database. */
  objectStore: ObjectStore | null;
  /** Encrypts secrets that the service must read again. */
  secrets: SecretBox;
}
