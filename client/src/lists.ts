import type { Entrega, Programada, Webhook } from './answerParts.ts';
import type {
  CancelarEntregasEmLoteResposta,
  CancelarProgramadasEmLoteResposta,
  CriarEntregasEmLoteResposta,
  CriarProgramadasEmLoteResposta,
  ListarEnviosResposta,
  ObterStatusEmLoteResposta,
} from './answers.ts';
import { sendInParts } from './bulk.ts';
import { newKey } from './idempotencyKey.ts';
import type { Operations } from './operations.ts';
import {
  type ChangeOptions,
  type Changes,
  changesOf,
  type ListOptions,
  recordsByCursor,
  recordsOf,
} from './pages.ts';
import type { CallOptions, Id } from './request.ts';
import type {
  ConsultarEntregasCorpo,
  CriarEntregaCorpo,
  CriarProgramadaCorpo,
  ListarProgramadasConsulta,
} from './requests.ts';

type Paging = 'pagina' | 'limite' | 'cursor' | 'alteradas_desde';

/** Where changes begin without a stored cursor: at this moment, or long ago. */
type Since<Filter> = Filter & { alteradas_desde?: string };
const LONG_AGO = '2000-01-01 00:00:00';

export interface BulkOptions extends CallOptions {
  /** One refused order refuses all, and nothing is stored. For up to 500 orders, which are one request. */
  allOrNothing?: boolean;
}

export class Deliveries {
  readonly #malote: Operations;
  constructor(malote: Operations) {
    this.#malote = malote;
  }

  /** All deliveries that the filter finds, newest first. */
  all(
    filter: Omit<ConsultarEntregasCorpo, Paging> = {},
    options: ListOptions = {},
  ): AsyncGenerator<Entrega, void> {
    return recordsByCursor(
      (page, call) => this.#malote.consultarEntregas({ ...filter, ...page }, call),
      options,
    );
  }

  /** The deliveries that changed, in the order of the changes, page by page. It waits for more when all are read. */
  changes(
    filter: Since<Omit<ConsultarEntregasCorpo, Paging>> = {},
    options: ChangeOptions = {},
  ): AsyncGenerator<Changes<Entrega>, void> {
    const since = { alteradas_desde: LONG_AGO, ...filter };
    return changesOf((page, call) => this.#malote.consultarEntregas({ ...since, ...page }, call), options);
  }

  /** Opens any number of deliveries, 500 in a request, and says what became of each, in their order. */
  createMany(
    orders: readonly CriarEntregaCorpo[],
    options: BulkOptions = {},
  ): Promise<CriarEntregasEmLoteResposta> {
    return sendInParts(
      orders,
      (entregas, call) =>
        this.#malote.criarEntregasEmLote({ entregas, ...allOrNothing(orders, options) }, call),
      keyed(options),
    );
  }

  /** The status of each of any number of deliveries, in the order of the ids. */
  statuses(ids: readonly Id[], options: CallOptions = {}): Promise<ObterStatusEmLoteResposta> {
    return sendInParts(
      ids.map(Number),
      (part, call) => this.#malote.obterStatusEmLote({ ids: part }, call),
      options,
    );
  }

  /** Cancels any number of deliveries for one reason, and says what became of each, in the order of the ids. */
  cancelMany(
    ids: readonly Id[],
    reasonId: number,
    options: CallOptions = {},
  ): Promise<CancelarEntregasEmLoteResposta> {
    return sendInParts(
      ids.map(Number),
      (part, call) => this.#malote.cancelarEntregasEmLote({ ids: part, motivo_id: reasonId }, call),
      keyed(options),
    );
  }
}

export class Scheduled {
  readonly #malote: Operations;
  constructor(malote: Operations) {
    this.#malote = malote;
  }

  /** All scheduled deliveries that the filter finds, newest first. */
  all(
    filter: Omit<ListarProgramadasConsulta, Paging> = {},
    options: ListOptions = {},
  ): AsyncGenerator<Programada, void> {
    return recordsByCursor(
      (page, call) => this.#malote.listarProgramadas({ ...filter, ...page }, call),
      options,
    );
  }

  /** The scheduled deliveries that changed, as `deliveries.changes`. */
  changes(
    filter: Since<Omit<ListarProgramadasConsulta, Paging>> = {},
    options: ChangeOptions = {},
  ): AsyncGenerator<Changes<Programada>, void> {
    const since = { alteradas_desde: LONG_AGO, ...filter };
    return changesOf((page, call) => this.#malote.listarProgramadas({ ...since, ...page }, call), options);
  }

  /** Schedules any number of deliveries, as `deliveries.createMany`. */
  createMany(
    orders: readonly CriarProgramadaCorpo[],
    options: BulkOptions = {},
  ): Promise<CriarProgramadasEmLoteResposta> {
    return sendInParts(
      orders,
      (entregas, call) =>
        this.#malote.criarProgramadasEmLote({ entregas, ...allOrNothing(orders, options) }, call),
      keyed(options),
    );
  }

  /** Cancels any number of scheduled deliveries, as `deliveries.cancelMany`. */
  cancelMany(ids: readonly Id[], options: CallOptions = {}): Promise<CancelarProgramadasEmLoteResposta> {
    return sendInParts(
      ids.map(Number),
      (part, call) => this.#malote.cancelarProgramadasEmLote({ ids: part }, call),
      keyed(options),
    );
  }
}

export class Webhooks {
  readonly #malote: Operations;
  constructor(malote: Operations) {
    this.#malote = malote;
  }

  all(options: ListOptions = {}): AsyncGenerator<Webhook, void> {
    return recordsOf(
      (page, call) => this.#malote.listarWebhooks(page, call),
      ({ id }) => id,
      options,
    );
  }

  /** What was sent to a webhook, newest first, with how it was answered. */
  messages(id: Id, options: ListOptions = {}): AsyncGenerator<ListarEnviosResposta[number], void> {
    return recordsOf(
      (page, call) => this.#malote.listarEnvios(id, page, call),
      ({ id: message }) => message,
      options,
    );
  }
}

const ALL_OR_NOTHING_MAX = 500;

function allOrNothing(orders: readonly unknown[], { allOrNothing }: BulkOptions): { tudo_ou_nada?: true } {
  if (!allOrNothing) return {};
  if (orders.length > ALL_OR_NOTHING_MAX)
    throw new RangeError(`all or nothing holds for one request, of up to ${ALL_OR_NOTHING_MAX} orders`);
  return { tudo_ou_nada: true };
}

/** One key for the whole call, from which the key of each request is made. */
const keyed = (options: BulkOptions): CallOptions => ({
  ...options,
  idempotencyKey: options.idempotencyKey === undefined ? newKey() : options.idempotencyKey,
});
