import type { Language } from '../../api/http/envelope.ts';

interface ChangeText {
  title: string;
  items: readonly string[];
}

/** A dated change of the interface that integrators can see. */
export interface Change extends Readonly<Record<Language, ChangeText>> {
  /** Names the entry for ever: its anchor, and its id in the feed. */
  name: string;
  day: string;
}

/** The newest first. An entry that was published is corrected but never removed. */
export const changes: readonly Change[] = [
  {
    name: '0.1.0',
    day: '2026-11-19',
    pt: {
      title: '0.1.0: a primeira versão',
      items: [
        'A interface de integração do contrato, versão 2.0.0, em /api/v2/integracao.',
        'Idempotency-Key em toda escrita, limites anunciados em cada resposta e nomes estáveis para as falhas.',
        'Webhooks assinados, em ordem para cada entrega, e uma conexão com eventos ao vivo.',
        'Documento OpenAPI, referência, coleção do Postman e um cliente em TypeScript.',
      ],
    },
    en: {
      title: '0.1.0: the first release',
      items: [
        "The contract's integration interface, version 2.0.0, at /api/v2/integracao.",
        'Idempotency-Key on every write, limits announced in every answer, and stable names for failures.',
        'Signed webhooks, in order for each delivery, and a stream of live events.',
        'OpenAPI document, reference, Postman collection and a client in TypeScript.',
      ],
    },
  },
];
