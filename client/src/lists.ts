import type { Entrega, Programada, Webhook } from './answerParts.ts';
import type { ListarEnviosResposta } from './answers.ts';
import type { Operations } from './operations.ts';
import { type ListOptions, recordsByCursor, recordsOf } from './pages.ts';
import type { Id } from './request.ts';
import type { ConsultarEntregasCorpo } from './requests.ts';

export class Deliveries {
  readonly #malote: Operations;
  constructor(malote: Operations) {
    this.#malote = malote;
  }

  /** All deliveries that the filter finds, newest first. */
  all(
    filter: Omit<ConsultarEntregasCorpo, 'pagina' | 'limite' | 'cursor' | 'alteradas_desde'> = {},
    options: ListOptions = {},
  ): AsyncGenerator<Entrega, void> {
    return recordsByCursor(
      (page, call) => this.#malote.consultarEntregas({ ...filter, ...page }, call),
      options,
    );
  }
}

export class Scheduled {
  readonly #malote: Operations;
  constructor(malote: Operations) {
    this.#malote = malote;
  }

  /** All scheduled deliveries, newest first. */
  all(options: ListOptions = {}): AsyncGenerator<Programada, void> {
    return recordsByCursor((page, call) => this.#malote.listarProgramadas(page, call), options);
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
