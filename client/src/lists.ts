import type { Entrega, Programada, Webhook } from './answerParts.ts';
import type { ListarEnviosResposta } from './answers.ts';
import type { Operations } from './operations.ts';
import {
  type ChangeOptions,
  type Changes,
  changesOf,
  type ListOptions,
  recordsByCursor,
  recordsOf,
} from './pages.ts';
import type { Id } from './request.ts';
import type { ConsultarEntregasCorpo, ListarProgramadasConsulta } from './requests.ts';

type Paging = 'pagina' | 'limite' | 'cursor' | 'alteradas_desde';

/** Where changes begin without a stored cursor: at this moment, or long ago. */
type Since<Filter> = Filter & { alteradas_desde?: string };
const LONG_AGO = '2000-01-01 00:00:00';

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
