/** An action of the driver. Actions are sent in order when there is network, and each takes effect once. */
export type Action = DeliveryAction | DutyAction | HelpAction;

export type DeliveryAction = { deliveryId: string } & (
  | { kind: 'arrive-pickup' | 'start' | 'finish' | 'give-up' }
  /** A stop may be visited again after a failure. `visit` says which visit the action belongs to. */
  | { kind: 'arrive-stop'; stopId: string; visit: number }
  | ({ kind: 'proof'; stopId: string } & ProofImage)
  /** `images` are those that a refusal asked for. They are sent before the conclusion, as part of this action. */
  | { kind: 'conclude'; stopId: string; body: Conclusion; images?: readonly ProofImage[] }
  | { kind: 'fail'; stopId: string; visit: number; body: Failure }
);

export interface DutyAction {
  kind: 'duty';
  available: boolean;
}

export interface HelpAction {
  kind: 'help';
  about: string | null;
  text: string;
}

export interface ProofImage {
  type: 'foto' | 'assinatura';
  mediaType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array<ArrayBuffer>;
}

/** The fields that `concluir` takes from a driver. Fields that were not asked for are omitted. */
export interface Conclusion {
  codigo_confirmacao?: number;
  recebido_por?: string;
  valor_recebido?: string;
  forma_recebimento?: string;
}

export interface Failure {
  motivo: FailureReason;
  observacao?: string;
}

export const FAILURE_REASONS = ['ausente', 'endereco_errado', 'recusado', 'outro'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Actions of one lane depend on one another; a refusal stops its lane and no other. */
export const laneOf = (action: Action): string =>
  'deliveryId' in action ? `delivery ${action.deliveryId}` : action.kind;

export interface ApiRequest {
  method: 'POST' | 'PUT';
  /** Relative to /api/v2/operacao. */
  path: string;
  body: unknown;
  image?: ProofImage;
}

/** The requests to send before the action itself. Sending the same image twice is harmless. */
export const requestsBefore = (action: Action, driverId: string, happenedAt: string): ApiRequest[] =>
  action.kind === 'conclude'
    ? (action.images ?? []).map((image) => {
        const { deliveryId, stopId } = action;
        return requestOf({ kind: 'proof', deliveryId, stopId, ...image }, driverId, happenedAt);
      })
    : [];

/** The request that carries an action out; `happenedAt` is the phone's time, corrected by the server's clock. */
export function requestOf(action: Action, driverId: string, happenedAt: string): ApiRequest {
  if (action.kind === 'duty')
    return post(`/condutores/${driverId}/disponibilidade`, { disponivel: action.available });
  if (action.kind === 'help')
    return post(`/condutores/${driverId}/ajuda`, {
      ...(action.about !== null && { id_mch: Number(action.about) }),
      texto: action.text,
    });
  const delivery = `/entregas/${action.deliveryId}`;
  const when = { ocorrido_em: happenedAt };
  switch (action.kind) {
    case 'arrive-pickup':
      return post(`${delivery}/chegar`, when);
    case 'start':
      return post(`${delivery}/iniciar`, when);
    case 'finish':
      return post(`${delivery}/finalizar`, when);
    case 'give-up':
      return post(`${delivery}/desistir`, when);
    case 'arrive-stop':
      return post(`${delivery}/paradas/${action.stopId}/chegar`, { tentativa: action.visit, ...when });
    case 'conclude':
      return post(`${delivery}/paradas/${action.stopId}/concluir`, { ...action.body, ...when });
    case 'fail':
      return post(`${delivery}/paradas/${action.stopId}/falhar`, {
        ...action.body,
        tentativa: action.visit,
        ...when,
      });
    case 'proof':
      return {
        method: 'PUT',
        path: `${delivery}/paradas/${action.stopId}/comprovantes/${action.type}?ocorrido_em=${encodeURIComponent(happenedAt)}`,
        body: undefined,
        image: action,
      };
  }
}

const post = (path: string, body: unknown): ApiRequest => ({ method: 'POST', path, body });
