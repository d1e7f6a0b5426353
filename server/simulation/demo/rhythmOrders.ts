import { scriptWord } from '../../src/api/json/orderBody.ts';
import type { Order, OrderedStop } from '../../src/deliveries/orders/request.ts';
import { randomFrom } from '../../src/platform/kernel/random.ts';
import { someDoor } from './city/doors.ts';
import { demoDestinations } from './demoCentrals.ts';
import type { Sender } from './demoFleet.ts';
import type { Story } from './rhythm.ts';

const FIRST_NAMES = [
  ...['Aline', 'André', 'Bianca', 'Caio', 'Camila', 'Daniel', 'Débora', 'Eduardo', 'Fernanda', 'Gustavo'],
  ...['Isabel', 'Jonas', 'Júlia', 'Leandro', 'Letícia', 'Marcos', 'Natália', 'Pedro', 'Renata', 'Vinícius'],
];
const LAST_NAMES = [
  ...['Almeida', 'Barbosa', 'Cardoso', 'Dias', 'Farias', 'Garcia', 'Lopes', 'Machado', 'Moraes', 'Pacheco'],
  ...[
    'Ribeiro',
    'Rosa',
    'Santos',
    'Silveira',
    'Soares',
    'Trindade',
    'Valente',
    'Vieira',
    'Xavier',
    'Zanetti',
  ],
];
const NOTES = ['Deixar na portaria', 'Tocar o interfone 302', 'Levar troco para 50', 'Ligar ao chegar'];

const KNOWN_RECIPIENTS = 0.4;
/** The number of stops: one to three, with fixed probabilities. */
const stopsOf = (chance: number): number => (chance < 0.62 ? 1 : chance < 0.9 ? 2 : 3);

/** An order of the demonstration: the seed decides the sender, one of those given, recipients and payment. */
export function rhythmOrder(
  seed: number,
  story: Story,
  senders: readonly Sender[],
): Order & { companyId: number } {
  const random = randomFrom(seed ^ 0x5bd1e995);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const sender = pick(senders);
  const stops = Array.from({ length: stopsOf(random()) }, (_, index): OrderedStop => {
    const stop = random() < KNOWN_RECIPIENTS ? pick(demoDestinations) : newRecipient(random, pick);
    return { ...stop, orderNumber: `P-${2000 + ((seed * 3 + index) % 8000)}` };
  });
  const pays = random();
  return {
    companyId: sender.companyId,
    person: null,
    category: { name: pick(sender.categories) },
    payment:
      pays < 0.45 ? 'cash' : pays < 0.7 ? 'credit_wallet' : pays < 0.9 ? 'invoiced' : 'instant_transfer',
    returning: random() < 0.06,
    note: noteOf(story, random() < 0.25 ? pick(NOTES) : null),
    couponCode: random() < 0.03 ? 'DEMO10' : null,
    pickup: sender.pickup,
    stops,
  };
}

/** A script is chosen as by an integrator: by a marker in the note. */
function noteOf(story: Story, words: string | null): string | null {
  if (story === 'success' || story === 'held' || story === 'scheduled') return words;
  return [words, `[simular: ${scriptWord[story]}]`].filter(Boolean).join(' ');
}

function newRecipient(random: () => number, pick: <Item>(items: readonly Item[]) => Item): OrderedStop {
  const { street, number, district, position } = someDoor(random);
  return {
    address: `${street}, ${number}`,
    complement: random() < 0.4 ? `apto ${101 + 100 * Math.floor(random() * 12)}` : null,
    reference: null,
    district,
    city: 'Porto Alegre',
    state: 'RS',
    position,
    located: null,
    orderNumber: null,
    externalId: null,
    recipientName: `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`,
    recipientPhone: `5199111${String(Math.floor(random() * 10_000)).padStart(4, '0')}`,
    note: null,
    collectCents: null,
    confirmationCode: null,
    demands: null,
  };
}
