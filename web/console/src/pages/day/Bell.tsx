import { useEffect, useState } from 'react';
import { useWords } from '../../../../shared/words.ts';
import { announce, canNotify, playSound, saveAlertSettings, useAlertSettings } from '../../alerts.ts';
import { useFailures, useOpenDeliveries, useSummary } from '../../data/deliveries.ts';
import { useFailedDispatches } from '../../data/scheduled.ts';
import type { AlertItem } from '../../knownAlerts.ts';
import { useSession } from '../../session.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** Opens the settings of this browser's alerts. Only here is the browser asked for its permission. */
export function Bell() {
  const t = useWords();
  const [isOpen, setOpen] = useState(false);
  const { sound, notification } = useAlertSettings();
  const isOn = sound || notification;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" style={{ verticalAlign: '-2px' }}>
          <path
            d="M8 2a4 4 0 0 0-4 4c0 4-1.5 5-1.5 5h11S12 10 12 6a4 4 0 0 0-4-4M6.5 13.5a1.6 1.6 0 0 0 3 0"
            fill={isOn ? 'currentColor' : 'none'}
            stroke="currentColor"
            strokeWidth="1.5"
          />
        </svg>{' '}
        {isOn ? t('Avisos ligados', 'Alerts on') : t('Avisos', 'Alerts')}
      </button>
      {isOpen && <BellDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function BellDialog({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const settings = useAlertSettings();
  const [isDenied, setDenied] = useState(canNotify() && Notification.permission === 'denied');
  const chooseNotification = async (wanted: boolean) => {
    const permission = wanted ? await Notification.requestPermission() : 'default';
    setDenied(permission === 'denied');
    saveAlertSettings({ ...settings, notification: wanted && permission === 'granted' });
  };
  return (
    <Dialog title={t('Avisos do que precisa de você', 'Alerts of what needs you')} onClose={onClose}>
      <p>
        {t(
          'Quando algo novo precisa de você, este navegador avisa uma vez, em qualquer página do console e em uma só aba. A escolha vale só para este navegador.',
          'When something new needs you, this browser calls once, on any page of the console and in one tab only. The choice is for this browser only.',
        )}
      </p>
      <p>
        <label>
          <input
            type="checkbox"
            checked={settings.sound}
            onChange={({ currentTarget: { checked } }) => {
              saveAlertSettings({ ...settings, sound: checked });
              if (checked) playSound();
            }}
          />{' '}
          {t('Tocar um som', 'Play a sound')}
        </label>
      </p>
      <p>
        <label>
          <input
            type="checkbox"
            checked={settings.notification}
            disabled={!canNotify()}
            onChange={({ currentTarget: { checked } }) => void chooseNotification(checked)}
          />{' '}
          {t('Mostrar notificação do navegador', 'Show a browser notification')}
        </label>
      </p>
      <p className="hint" role="status">
        {isDenied
          ? t(
              'O navegador não permite notificações deste endereço. Libere nas permissões do site, ao lado do endereço, e tente de novo.',
              'The browser does not allow notifications from this address. Allow them in the site’s permissions, beside the address, and try again.',
            )
          : !canNotify()
            ? t(
                'Este endereço não pode mostrar notificações: elas exigem https.',
                'Notifications require https.',
              )
            : t('O navegador pede a permissão uma vez.', 'The browser asks for permission once.')}
      </p>
      <div className="dialog-actions">
        <button type="button" className="primary" onClick={onClose}>
          {t('Pronto', 'Done')}
        </button>
      </div>
    </Dialog>
  );
}

/** Alerts the user to new items on every page of the console. Reads nothing while alerts are off. */
export function Alerts() {
  const { sound, notification } = useAlertSettings();
  return sound || notification ? <Announcer /> : null;
}

function Announcer() {
  const t = useWords();
  const { usuario, central } = useSession();
  const items = useAlertItems();
  const title = t('Precisa de você', 'Needs you');
  const keys = items?.map(({ key }) => key).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same keys are the same items
  useEffect(() => {
    if (items) void announce(items, `${central.id} ${usuario}`, `${title} · ${central.nome}`);
  }, [keys]);
  return null;
}

const DISPATCHES_MAX = 20;

/** Null until everything is loaded, because items that load a moment later are not new. */
function useAlertItems(): AlertItem[] | null {
  const t = useWords();
  const { data: summary } = useSummary();
  const { data: open } = useOpenDeliveries();
  const hasFailures = (summary?.paradas_nao_entregues ?? 0) > 0;
  const hasFailed = (summary?.programadas_com_falha ?? 0) > 0;
  const failures = useFailures(hasFailures).data;
  const failed = useFailedDispatches(DISPATCHES_MAX, hasFailed).data;
  if (!summary || !open || (hasFailures && !failures) || (hasFailed && !failed)) return null;
  return [
    ...summary.pedidos_ajuda.map(({ id, condutor, texto }) => ({
      key: `ajuda ${id}`,
      text: `${condutor.nome}: ${texto}`,
    })),
    ...(failures ?? []).map(({ parada_id, id_mch, endereco }) => ({
      key: `falha ${parada_id}`,
      text: t(
        `Entrega ${id_mch} não entregue em ${endereco}`,
        `Delivery ${id_mch} not delivered at ${endereco}`,
      ),
    })),
    ...(failed ?? []).map(({ id_mch_programada: id }) => ({
      key: `disparo ${id}`,
      text: t(`A programada ${id} não saiu`, `Scheduled delivery ${id} did not leave`),
    })),
    ...open.flatMap(({ id, atrasada, status, conferir_endereco }) => [
      ...(atrasada
        ? [{ key: `atrasada ${id}`, text: t(`Entrega ${id} atrasada`, `Delivery ${id} is late`) }]
        : []),
      ...(status === 'P'
        ? [{ key: `sem ${id}`, text: t(`Entrega ${id} sem entregador`, `Delivery ${id} has no driver`) }]
        : []),
      ...(status === 'L'
        ? [
            {
              key: `liberar ${id}`,
              text: t(`Entrega ${id} aguarda liberação`, `Delivery ${id} awaits release`),
            },
          ]
        : []),
      ...(conferir_endereco
        ? [
            {
              key: `conferir ${id}`,
              text: t(`Endereço da entrega ${id} a conferir`, `Delivery ${id}: check an address`),
            },
          ]
        : []),
    ]),
  ];
}
