import type { StreamMessage } from './readMessages.ts';

/** An event of the stream, with its body as it came. */
export interface ListenedEvent {
  /** What continues after it: `--since`. */
  id: string;
  /** The `webhook-id`. */
  uid: string;
  type: string;
  /** The delivery, scheduled delivery, company or driver; empty where the event names none. */
  about: string;
  body: string;
  /** The event before it in the stream. */
  previousId?: string | undefined;
}

interface Body {
  type?: unknown;
  data?: { id?: unknown; empresa_id?: unknown; condutor?: { id?: unknown } | null };
}

export function listenedEvent({ id, data: body }: StreamMessage): ListenedEvent {
  const [number = '', uid = number] = id.split('.', 2);
  const { type, data } = parse(body);
  const about = data?.id ?? data?.condutor?.id ?? data?.empresa_id;
  return {
    id: number,
    uid,
    type: String(type),
    about: about === undefined || about === null ? '' : String(about),
    body,
  };
}

/** Events of one subject are sent in order. */
export const subjectOf = ({ type, about, uid }: ListenedEvent): string =>
  type === 'webhook.teste' ? uid : `${type.split('.', 1)[0]} ${about}`;

function parse(body: string): Body {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
