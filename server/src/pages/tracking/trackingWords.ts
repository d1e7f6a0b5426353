import type { Language } from '../../api/http/envelope.ts';
import { labelsOf, profileCode } from '../../api/json/codes.ts';
import { VEHICLE_LABELS } from '../../api/json/labels.ts';
import type { Profile } from '../../geo/routing/router.ts';
import type { FailureDecision, FailureReason } from '../../platform/kernel/states.ts';
import type { Phase } from './trackedJourneyStore.ts';

/** The phases for which a range of arrival is shown. */
export type Arriving = Extract<Phase, 'to-pickup' | 'at-pickup' | 'on-the-way'>;

/** The texts of the page; `{name}` is filled in. */
interface Words {
  title: string;
  /** The link preview in messages, the same for all recipients. */
  preview: string;
  sentences: Record<Phase, string>;
  /** With a driver's name and, on its own line, a range of arrival. */
  arriving: Record<Arriving, string>;
  steps: [received: string, toPickup: string, onTheWay: string, delivered: string];
  stepsLabel: string;
  queue: { none: string; one: string; many: string };
  driver: string;
  plate: string;
  code: string;
  codeHint: string;
  photo: string;
  destination: string;
  map: string;
  mapOld: string;
  /** The age in the largest unit of which at least one has passed; days from two on. */
  ages: { minutes: string; hours: string; days: string };
  /** Shown while no driver is on the way. */
  mapNone: string;
  /** Shown while a driver without a known position is on the way. */
  mapUnknown: string;
  updated: string;
  stale: string;
  help: string;
  helpDefault: string;
  /** For a failed visit, with its time. */
  attempt: Record<FailureReason, string>;
  /** What follows a failed visit, with the shop. */
  follows: Record<FailureDecision | 'retryNext' | 'returned' | 'orderedAgain', string>;
  theShop: string;
  orderedFrom: string;
  call: string;
  vehicles: Record<Profile, string>;
  ended: Record<'cancelled' | 'not-attended', string>;
  deliveredAt: string;
  /** Times of today, and of other days. */
  today: string;
  onDay: string;
  gone: { title: string; text: string };
  unknown: { title: string; text: string };
}

export const trackingWords: Record<Language, Words> = {
  pt: {
    title: 'Sua entrega',
    preview: 'Acompanhe a entrega: quando chega e onde está o entregador.',
    sentences: {
      received: 'Recebemos o pedido. Logo começamos a procurar um entregador.',
      searching: 'Estamos procurando um entregador por perto.',
      'after-another': '{driver} termina outra entrega e depois busca o seu pedido.',
      'to-pickup': '{driver} vai buscar o seu pedido.',
      'at-pickup': '{driver} está retirando o seu pedido.',
      'on-the-way': '{driver} está a caminho.',
      delivered: 'Pedido entregue. Obrigado!',
      'not-delivered': 'Não conseguimos entregar o seu pedido.',
      cancelled: 'Esta entrega foi cancelada.',
      'not-attended': 'Não encontramos um entregador desta vez.',
    },
    arriving: {
      'to-pickup': '{driver} vai buscar o seu pedido.\nChega entre {from} e {until}.',
      'at-pickup': '{driver} está retirando o seu pedido.\nChega entre {from} e {until}.',
      'on-the-way': '{driver} está a caminho.\nChega entre {from} e {until}.',
    },
    steps: ['Pedido recebido', 'Entregador a caminho da coleta', 'A caminho de você', 'Entregue'],
    stepsLabel: 'Andamento da entrega',
    queue: {
      none: 'A sua é a próxima entrega.',
      one: '1 entrega antes da sua.',
      many: '{count} entregas antes da sua.',
    },
    driver: 'Entregador',
    plate: 'Placa',
    code: 'Código de confirmação',
    codeHint: 'Diga este código ao entregador somente quando receber o pedido.',
    photo: 'Foto da entrega',
    destination: 'Destino',
    map: 'Mapa com a posição do entregador',
    mapOld: 'Última posição conhecida, há {age}.',
    ages: { minutes: '{count} min', hours: '{count} h', days: '{count} dias' },
    mapNone: 'A posição do entregador aparece aqui quando ele for buscar o seu pedido.',
    mapUnknown: 'No momento não sabemos onde está o entregador. A posição aparece aqui assim que chegar.',
    updated: 'Atualizado às {time}.',
    stale: 'Sem conexão. O que você vê é das {time}.',
    help: 'Precisa de ajuda?',
    helpDefault: 'Fale com a loja onde você fez o pedido.',
    attempt: {
      absent: 'Tentamos entregar {when} e não encontramos ninguém.',
      wrong_address: 'Tentamos entregar {when} e não encontramos o endereço.',
      refused: 'Tentamos entregar {when}, e o pedido não foi aceito.',
      other: 'Tentamos entregar {when} e não foi possível.',
    },
    follows: {
      retry: 'O entregador tenta de novo depois das outras entregas desta rota.',
      retryNext: 'O entregador vai tentar de novo.',
      return: 'O pedido está voltando. Para receber, fale com {shop}.',
      returned: 'O pedido voltou. Para receber, fale com {shop}.',
      leave: 'Para combinar uma nova entrega, fale com {shop}.',
      orderedAgain: 'Uma nova entrega do pedido já está marcada. Se o link dela não chegou, peça a {shop}.',
    },
    theShop: 'a loja onde você fez o pedido',
    orderedFrom: 'Pedido de {shop}',
    call: 'Ligar',
    vehicles: labelsOf(profileCode, VEHICLE_LABELS, 'pt'),
    ended: {
      cancelled: 'Se você não pediu o cancelamento, fale com a loja onde fez o pedido.',
      'not-attended': 'A loja já sabe e vai combinar com você o que fazer. Não é preciso esperar aqui.',
    },
    deliveredAt: 'Entregue {when}.',
    today: 'às {time}',
    onDay: 'em {date}, às {time}',
    gone: {
      title: 'Este link expirou',
      text: 'A entrega terminou há algum tempo, e o acompanhamento foi encerrado. Se ficou alguma dúvida, fale com a loja onde você fez o pedido.',
    },
    unknown: {
      title: 'Link não encontrado',
      text: 'Confira se o endereço foi copiado inteiro, ou peça o link de novo à loja onde você fez o pedido.',
    },
  },
  en: {
    title: 'Your delivery',
    preview: 'Follow the delivery: when it arrives and where the courier is.',
    sentences: {
      received: 'We have your order. We will look for a courier soon.',
      searching: 'We are looking for a courier nearby.',
      'after-another': '{driver} is finishing another delivery and then picks up your order.',
      'to-pickup': '{driver} is going to pick up your order.',
      'at-pickup': '{driver} is picking up your order.',
      'on-the-way': '{driver} is on the way.',
      delivered: 'Delivered. Thank you!',
      'not-delivered': 'We could not deliver your order.',
      cancelled: 'This delivery was cancelled.',
      'not-attended': 'We could not find a courier this time.',
    },
    arriving: {
      'to-pickup': '{driver} is going to pick up your order.\nArrives between {from} and {until}.',
      'at-pickup': '{driver} is picking up your order.\nArrives between {from} and {until}.',
      'on-the-way': '{driver} is on the way.\nArrives between {from} and {until}.',
    },
    steps: ['Order received', 'Courier on the way to the pickup', 'On the way to you', 'Delivered'],
    stepsLabel: 'Progress of the delivery',
    queue: {
      none: 'Yours is the next delivery.',
      one: '1 delivery before yours.',
      many: '{count} deliveries before yours.',
    },
    driver: 'Courier',
    plate: 'Plate',
    code: 'Confirmation code',
    codeHint: 'Tell the courier this code only when you receive your order.',
    photo: 'Photo of the delivery',
    destination: 'Destination',
    map: 'Map with the position of the courier',
    mapOld: 'Last known position, {age} ago.',
    ages: { minutes: '{count} min', hours: '{count} h', days: '{count} days' },
    mapNone: 'The position of the courier appears here once your order is about to be picked up.',
    mapUnknown:
      'We do not know where the courier is right now. The position appears here as soon as it arrives.',
    updated: 'Updated at {time}.',
    stale: 'No connection. What you see is from {time}.',
    help: 'Need help?',
    helpDefault: 'Talk to the shop where you ordered.',
    attempt: {
      absent: 'We tried to deliver {when} and found nobody.',
      wrong_address: 'We tried to deliver {when} and did not find the address.',
      refused: 'We tried to deliver {when}, and the order was not accepted.',
      other: 'We tried to deliver {when} and could not.',
    },
    follows: {
      retry: 'The courier tries again after the other deliveries of this route.',
      retryNext: 'The courier will try again.',
      return: 'Your order is on its way back. To receive it, talk to {shop}.',
      returned: 'Your order went back. To receive it, talk to {shop}.',
      leave: 'To arrange another delivery, talk to {shop}.',
      orderedAgain:
        'Another delivery of your order is arranged. If its link did not reach you, ask {shop} for it.',
    },
    theShop: 'the shop where you ordered',
    orderedFrom: 'Order from {shop}',
    call: 'Call',
    vehicles: labelsOf(profileCode, VEHICLE_LABELS, 'en'),
    ended: {
      cancelled: 'If you did not ask for this, talk to the shop where you ordered.',
      'not-attended': 'The shop knows and will arrange with you what to do. You need not wait here.',
    },
    deliveredAt: 'Delivered {when}.',
    today: 'at {time}',
    onDay: 'on {date} at {time}',
    gone: {
      title: 'This link has expired',
      text: 'The delivery ended some time ago, and can no longer be followed. If anything is unclear, talk to the shop where you ordered.',
    },
    unknown: {
      title: 'Link not found',
      text: 'Check that the whole address was copied, or ask the shop where you ordered for the link again.',
    },
  },
};

export const fill = (words: string, values: Readonly<Record<string, string | number>>): string =>
  words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
