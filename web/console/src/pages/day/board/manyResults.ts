import type { Language } from '../../../../../shared/formats.ts';
import type { OpenLetter } from '../../../../../shared/statuses.ts';

/** What can be done to many deliveries at once. */
export type ManyAction = 'offer' | 'hold' | 'release' | 'postpone' | 'cancel';

/** The statuses in which the server takes each step. It decides; this is for the preview. */
const TAKEN_IN: Record<ManyAction, readonly OpenLetter[]> = {
  offer: ['D', 'G', 'P'],
  hold: ['D', 'G', 'P', 'A', 'S'],
  release: ['L'],
  postpone: ['L', 'D', 'G', 'P', 'A', 'S', 'E'],
  cancel: ['L', 'D', 'G', 'P', 'A', 'S', 'E'],
};

export const isTaken = (action: ManyAction, status: OpenLetter): boolean => TAKEN_IN[action].includes(status);

/** Whether a plan may give the delivery to a driver; one that is accepted but not begun may change the driver. */
export const isPlanned = ({ status }: { status: OpenLetter }): boolean => 'DGPAS'.includes(status);

/** Whether it waits for a driver. */
export const isWaiting = ({ status }: { status: OpenLetter }): boolean => 'DGP'.includes(status);

/** One item of the answer to a request for many. */
export interface ItemResult {
  id: number;
  success: boolean;
  errors?: readonly { message: string }[] | undefined;
}

/** What a line of result is about. */
type Done = ManyAction | 'withdraw' | 'distribute' | 'undo';

const done: Record<Done, Record<Language, readonly [one: string, many: string]>> = {
  offer: { pt: ['oferecida', 'oferecidas'], en: ['offered', 'offered'] },
  hold: { pt: ['segurada', 'seguradas'], en: ['held back', 'held back'] },
  release: { pt: ['liberada', 'liberadas'], en: ['released', 'released'] },
  postpone: { pt: ['com nova promessa', 'com nova promessa'], en: ['promised anew', 'promised anew'] },
  cancel: { pt: ['cancelada', 'canceladas'], en: ['cancelled', 'cancelled'] },
  distribute: { pt: ['distribuída', 'distribuídas'], en: ['distributed', 'distributed'] },
  undo: { pt: ['desfeita', 'desfeitas'], en: ['undone', 'undone'] },
  withdraw: { pt: ['oferta retirada', 'ofertas retiradas'], en: ['offer withdrawn', 'offers withdrawn'] },
};

/** "37 de 40 seguradas, 3 não puderam: a entrega já foi finalizada (2); …". */
export function resultLine(action: Done, items: readonly ItemResult[], language: Language): string {
  const refused = items.filter(({ success }) => !success);
  const count = items.length - refused.length;
  const [one, many] = done[action][language];
  const word = count === 1 ? one : many;
  const of = language === 'pt' ? 'de' : 'of';
  if (refused.length === 0) return `${count} ${word}.`;
  const why = [...Map.groupBy(refused, ({ errors }) => errors?.[0]?.message ?? '')]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([message, all]) => `${message} (${all.length})`)
    .join('; ');
  const could = language === 'pt' ? (refused.length === 1 ? 'não pôde' : 'não puderam') : 'could not be';
  return `${count} ${of} ${items.length} ${word}, ${refused.length} ${could}: ${why}.`;
}

export const idsDone = (items: readonly ItemResult[]): string[] =>
  items.filter(({ success }) => success).map(({ id }) => String(id));
