import type { Order } from '../deliveries/order.ts';
import type { demoPickups } from './demoPlaces.ts';

type Sender = keyof typeof demoPickups;

/** A delivery and how far it has come. Destinations are indexes into demoPlaces.ts. */
export interface DemoDelivery extends Partial<Order> {
  /** Minutes. */
  openedAgo: number;
  sender: Sender;
  to: readonly number[];
  driver: number;
  upTo: 'opened' | 'cancelled' | 'accepted' | 'started' | 'finished';
}

/** Oldest first. A driver's earlier ones are over before the next begins. */
export const demoDeliveries: readonly DemoDelivery[] = [
  { openedAgo: 320, sender: 'bakery', to: [0, 1], driver: 1, upTo: 'finished', payment: 'credit_wallet' },
  { openedAgo: 290, sender: 'pharmacy', to: [3], driver: 2, upTo: 'finished', returning: true },
  { openedAgo: 250, sender: 'bakery', to: [6], driver: 3, upTo: 'finished', couponCode: 'DEMO10' },
  { openedAgo: 210, sender: 'pharmacy', to: [5], driver: 2, upTo: 'cancelled', payment: 'credit_wallet' },
  {
    openedAgo: 180,
    sender: 'passerBy',
    to: [9],
    driver: 4,
    upTo: 'finished',
    payment: 'instant_transfer',
    person: { name: 'Vera Lúcia Nunes', cpf: '52998224725', phone: '51992220001' },
  },
  { openedAgo: 150, sender: 'bakery', to: [7, 8, 2], driver: 1, upTo: 'finished', payment: 'credit_wallet' },
  { openedAgo: 42, sender: 'bakery', to: [4, 1, 2], driver: 1, upTo: 'started', payment: 'invoiced' },
  { openedAgo: 25, sender: 'pharmacy', to: [3, 9], driver: 2, upTo: 'started' },
  { openedAgo: 4, sender: 'bakery', to: [10], driver: 3, upTo: 'accepted', payment: 'credit_wallet' },
  { openedAgo: 1, sender: 'pharmacy', to: [0, 5], driver: 5, upTo: 'opened' },
];

export interface DemoScheduled extends Partial<Order> {
  sender: Sender;
  to: readonly number[];
  inMinutes: number;
}

/** Two of the bakery's set off within minutes of each other from one door: they could be grouped. */
export const demoScheduled: readonly DemoScheduled[] = [
  { sender: 'bakery', to: [0], inMinutes: 90 },
  { sender: 'bakery', to: [1, 4], inMinutes: 95 },
  { sender: 'pharmacy', to: [11], inMinutes: 120, payment: 'invoiced', note: 'Entregar na portaria' },
  { sender: 'bakery', to: [7, 8], inMinutes: 200, returning: true },
  { sender: 'pharmacy', to: [3, 9, 5], inMinutes: 24 * 60 },
];
