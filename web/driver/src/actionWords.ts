import type { Action } from './core/action.ts';
import type { RefusalNote } from './core/outbox.ts';
import type { Work } from './core/work.ts';

/** Describes an action in the driver's own words. */
export function actionWords(action: Action, t: (pt: string, en: string) => string): string {
  switch (action.kind) {
    case 'arrive-pickup':
      return t('Cheguei na coleta', 'I am at the pickup');
    case 'start':
      return t('Peguei os pedidos', 'I have the goods');
    case 'arrive-stop':
      return t('Cheguei na parada', 'I am at the stop');
    case 'proof':
      return action.type === 'foto' ? t('Foto', 'Photo') : t('Assinatura', 'Signature');
    case 'conclude':
      return t('Entreguei', 'Handed over');
    case 'fail':
      return t('Não consegui entregar', 'I could not deliver');
    case 'finish':
      return t('Finalizei', 'Finished');
    case 'give-up':
      return t('Devolvi a entrega', 'Gave the delivery back');
    case 'duty':
      return action.available ? t('Entrei em serviço', 'Went on duty') : t('Saí de serviço', 'Went off duty');
    case 'help':
      return t('Pedi ajuda', 'Asked for help');
  }
}

/** The stop or pickup that an action is about; empty if the work known to the phone does not contain it. */
export function placeWords(action: Action, work: Work | null): string {
  if (!('deliveryId' in action)) return '';
  const run = work?.corridas.find(({ id_mch }) => id_mch === action.deliveryId);
  if (!run) return '';
  if (action.kind === 'arrive-pickup' || action.kind === 'start') return run.coleta.endereco;
  const stop = 'stopId' in action && run.paradas.find(({ id }) => id === action.stopId);
  if (!stop) return '';
  const address = [stop.endereco, stop.complemento].filter(Boolean).join(', ');
  return [stop.destinatario, address].filter(Boolean).join(' · ');
}

/** Why the central refused. Messages about fields are written for programs and are replaced. */
export const refusalWords = (refusal: RefusalNote | null, t: (pt: string, en: string) => string): string[] =>
  refusal?.kind === 'invalid-input'
    ? [
        t(
          'A central não aceitou os dados desta ação. Tente de novo ou ligue para a central.',
          'The central did not accept the data of this action. Try again or call the central.',
        ),
      ]
    : (refusal?.messages ?? []);
