import type { Change } from './core/changes.ts';

/** Describes a change by the central in a sentence. */
export function changeWords(change: Change, t: (pt: string, en: string) => string): string {
  const id = change.deliveryId;
  switch (change.kind) {
    case 'offer':
      return t('Nova oferta.', 'New offer.');
    case 'run-added':
      return t(`A central passou a entrega ${id} para você.`, `The central gave you delivery ${id}.`);
    case 'run-gone':
      // The work no longer has the run, and does not say why: the central may have finished it for the driver.
      return t(
        `A entrega ${id} saiu da sua lista: foi concluída pela central, cancelada ou passada a outro entregador. Se ainda está com os pedidos, ligue para a central.`,
        `Delivery ${id} has left your list: it was completed by the central, cancelled or handed to another driver. If you still have the goods, call the central.`,
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
