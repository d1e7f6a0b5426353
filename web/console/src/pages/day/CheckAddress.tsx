import { useState } from 'react';
import { MapView } from '../../../../shared/map/MapView.tsx';
import type { Position } from '../../../../shared/map/mapPoint.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import type { OpenDelivery } from '../../data/deliveries.ts';
import { useAction } from '../../form.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/Loaded.tsx';

interface Unsure extends Position {
  /** Null means the pickup. */
  stopId: string | null;
  endereco: string;
  bairro: string;
}

const unsureOf = ({ partida, paradas }: OpenDelivery): Unsure[] => [
  ...(partida.conferir ? [{ ...partida, stopId: null }] : []),
  ...paradas.filter(({ conferir }) => conferir).map((stop) => ({ ...stop, stopId: stop.id })),
];

/** Shown if a colleague has checked the addresses meanwhile. */
function NothingUnsure({ delivery: { id }, onClose }: { delivery: OpenDelivery; onClose: () => void }) {
  const t = useWords();
  return (
    <Dialog
      title={t(`Conferir endereço da entrega ${id}`, `Check an address of delivery ${id}`)}
      onClose={onClose}
    >
      <p>{t('Os endereços já foram conferidos.', 'The addresses have been checked already.')}</p>
      <div className="dialog-actions">
        <button type="button" className="primary" onClick={onClose}>
          {t('Pronto', 'Done')}
        </button>
      </div>
    </Dialog>
  );
}

/** Asks for the exact position of each imprecise address, one after the other: drag the pin, then confirm. */
export function CheckAddress({ delivery, onClose }: { delivery: OpenDelivery; onClose: () => void }) {
  const t = useWords();
  const [dragged, setDragged] = useState<{ stopId: string | null; to: Position } | null>(null);
  const [unsure] = unsureOf(delivery);
  // A colleague may confirm this address meanwhile. The dragged position does not belong to the next one.
  const moved = dragged && dragged.stopId === unsure?.stopId ? dragged.to : null;
  const setMoved = (to: Position) => setDragged({ stopId: unsure!.stopId, to });
  const check = useAction(
    () =>
      call('operacao', 'POST /entregas/{id}/conferir-endereco', {
        id: delivery.id,
        body: { parada_id: unsure!.stopId, posicao: moved },
      }),
    {
      done: t('Endereço conferido.', 'Address checked.'),
      refresh: ['deliveries', 'counts'],
      leave: () => {
        if (unsureOf(delivery).length <= 1) onClose();
      },
    },
  );
  if (!unsure) return <NothingUnsure delivery={delivery} onClose={onClose} />;
  const at = moved ?? { lat: unsure.lat, lng: unsure.lng };
  const isPickup = unsure.stopId === null;
  return (
    <Dialog
      wide
      title={t(`Conferir endereço da entrega ${delivery.id}`, `Check an address of delivery ${delivery.id}`)}
      onClose={onClose}
    >
      <p>
        {isPickup ? t('Coleta', 'Pickup') : t('Parada', 'Stop')}:{' '}
        <strong>{[unsure.endereco, unsure.bairro].filter(Boolean).join(', ')}</strong>
      </p>
      <p className="soft">
        {t(
          'O lugar foi encontrado sem certeza. Arraste o ponto até a porta, ou confirme onde está: o entregador vê o ponto, e o próximo pedido para este endereço já o usa. O valor da entrega não muda.',
          'The place is uncertain. Drag the pin to the door, or confirm where it is: the driver sees it, and the next order for this address uses it. The price stays.',
        )}
      </p>
      <div className="check-map">
        <MapView
          label={t('Mapa: arraste o ponto até a porta', 'Map: drag the pin to the door')}
          points={[
            {
              ...at,
              id: 'unsure',
              shape: isPickup ? 'pickup' : 'stop',
              letter: isPickup ? 'P' : '?',
              label: unsure.endereco,
              selected: true,
            },
          ]}
          around={[at]}
          aroundKey={String(unsure.stopId)}
          onClick={setMoved}
          onMove={(_, position) => setMoved(position)}
        />
      </div>
      <ErrorBox error={check.error} />
      <div className="dialog-actions">
        <button type="button" onClick={onClose}>
          {t('Voltar', 'Go back')}
        </button>
        <button type="button" className="primary" disabled={check.isPending} onClick={() => check.mutate()}>
          {moved
            ? t('Confirmar este ponto', 'Confirm this point')
            : t('O ponto está certo', 'The pin is right')}
        </button>
      </div>
    </Dialog>
  );
}
