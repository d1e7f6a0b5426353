import { useWords } from '../../../console/src/words.ts';
import type { Change } from '../core/changes.ts';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { useApp, useAppState } from '../useApp.ts';

/** What the central changed, until the driver says to have read it. */
export function News() {
  const t = useWords();
  const app = useApp();
  const { news } = useAppState();
  useFocusOn(String(news.length));
  if (news.length === 0) return null;
  return (
    <section className="news" role="alert">
      <h2>
        <Icon name="alert" />
        {t('Mudou', 'Changed')}
      </h2>
      <ul>
        {news.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows until it is read
          <li key={index}>{sentence(change, t)}</li>
        ))}
      </ul>
      <button type="button" onClick={app.readNews}>
        {t('Entendi', 'Got it')}
      </button>
    </section>
  );
}

function sentence(change: Change, t: (pt: string, en: string) => string): string {
  const id = change.deliveryId;
  switch (change.kind) {
    case 'offer':
      return t('Nova oferta.', 'New offer.');
    case 'run-added':
      return t(`A central passou a entrega ${id} para você.`, `The central gave you delivery ${id}.`);
    case 'run-gone':
      return t(
        `A entrega ${id} não é mais sua: foi cancelada ou passada a outro entregador. Ligue para a central se está com os pedidos.`,
        `Delivery ${id} is no longer yours: it was cancelled or handed to another driver. Call the central if you have the goods.`,
      );
    case 'run-changed':
      return t(`A central alterou a entrega ${id}.`, `The central changed delivery ${id}.`);
    case 'stop-added':
      return t(
        `Nova parada na sua corrida: ${change.stop.endereco}.`,
        `New stop in your run: ${change.stop.endereco}.`,
      );
    case 'stop-gone':
      return t(`Parada retirada: ${change.stop.endereco}.`, `Stop removed: ${change.stop.endereco}.`);
    case 'stop-reopened':
      return t(
        `Tente de novo, por último: ${change.stop.endereco}.`,
        `Try again, as the last one: ${change.stop.endereco}.`,
      );
    case 'stop-changed':
      return t(`Parada alterada: ${change.stop.endereco}.`, `Stop changed: ${change.stop.endereco}.`);
  }
}
