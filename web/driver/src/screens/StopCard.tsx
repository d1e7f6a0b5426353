import { equipmentWords, loadWords, windowWords } from '../../../shared/demandWords.ts';
import { formatMoney, formatPhone } from '../../../shared/formats.ts';
import { paymentLabel } from '../../../shared/statuses.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { LocalRun } from '../core/localView.ts';
import type { Step } from '../core/nextStep.ts';
import { isPaidAtDoor, type Stop } from '../core/work.ts';
import { navigatorNames, telLink, whatsAppLink } from '../device/navigation.ts';
import { areaOf, formatClock, wholeNumbers } from '../format.ts';
import { Icon } from '../ui/Icon.tsx';
import { useAppState } from '../useApp.ts';

interface TargetCardProps {
  step: Step;
  run: LocalRun;
  onNavigate: () => void;
  onChooseNavigator: () => void;
}

/** The place of the next step, with its details. */
export function TargetCard({ step, run, onNavigate, onChooseNavigator }: TargetCardProps) {
  const t = useWords();
  const { navigator } = useAppState('navigator');
  const { place, stop } = step;
  if (!place) return null;
  const isReturn = step.kind === 'finish' || step.kind === 'go-return';
  const label = stop
    ? stop.destinatario
      ? t(`Entregar para ${stop.destinatario}`, `Deliver to ${stop.destinatario}`)
      : t('Entregar', 'Deliver')
    : isReturn
      ? t('Retorno à coleta', 'Return to the pickup')
      : t('Coleta', 'Pickup');
  const notes = [place.referencia, stop ? stop.observacao : run.observacao].flatMap((note) => note || []);
  return (
    <section className="card target" aria-label={label}>
      <h2 tabIndex={-1}>{label}</h2>
      <p className="address">
        {place.endereco}
        {place.complemento && <strong>, {place.complemento}</strong>}
      </p>
      <p>{areaOf(place)}</p>
      {stop?.numero_pedido && (
        <p>
          {t('Pedido', 'Order')} <strong>{stop.numero_pedido}</strong>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="note">
          {wholeNumbers(note)}
        </p>
      ))}
      {stop && <StopDemands stop={stop} />}
      {!stop && !isReturn && <PickupDemands run={run} />}
      {stop && <Collect stop={stop} />}
      {isReturn && <BringBack run={run} />}
      <div className="links">
        <button type="button" onClick={onNavigate}>
          <Icon name="go" />
          {navigator ? navigatorNames[navigator] : t('Navegar', 'Navigate')}
        </button>
        {stop?.telefone && (
          <>
            <a
              className="button"
              href={telLink(stop.telefone)}
              aria-label={t(`Ligar para ${formatPhone(stop.telefone)}`, `Call ${formatPhone(stop.telefone)}`)}
            >
              <Icon name="phone" />
              {t('Ligar', 'Call')}
            </a>
            <a className="button" href={whatsAppLink(stop.telefone)} target="_blank" rel="noreferrer">
              <Icon name="chat" />
              WhatsApp
            </a>
          </>
        )}
        {navigator && (
          <button type="button" onClick={onChooseNavigator}>
            <Icon name="map" />
            {t('Outro mapa', 'Another map')}
          </button>
        )}
      </div>
    </section>
  );
}

/** When the goods are ready, what they are, and what is needed to carry them. */
function PickupDemands({ run: { exigencias } }: { run: Pick<LocalRun, 'exigencias'> }) {
  const t = useWords();
  const language = useLanguage();
  if (!exigencias) return null;
  const load = loadWords(exigencias, t, language);
  return (
    <>
      {exigencias.pronto_em && (
        <p>
          {t('Pronto às', 'Ready at')} <strong>{formatClock(exigencias.pronto_em, language)}</strong>
        </p>
      )}
      {load && <p>{load}</p>}
      {exigencias.equipamentos.length > 0 && (
        <p>
          {t('Precisa de', 'Needs')} <strong>{equipmentWords(exigencias.equipamentos, language)}</strong>
        </p>
      )}
    </>
  );
}

/** When the recipient expects it, and how much is handed over. */
function StopDemands({ stop: { exigencias } }: { stop: Stop }) {
  const t = useWords();
  const language = useLanguage();
  if (!exigencias) return null;
  const when = windowWords(exigencias, t, (at) => formatClock(at, language));
  const load = loadWords(exigencias, t, language);
  return (
    <>
      {when && (
        <p>
          {t('Entregar', 'Deliver')} <strong>{when}</strong>
        </p>
      )}
      {load && <p>{load}</p>}
    </>
  );
}

/** The undelivered goods to bring back. */
function BringBack({ run }: { run: LocalRun }) {
  const t = useWords();
  const failed = run.paradas.filter(({ situacao }) => situacao === 'nao_entregue');
  if (failed.length === 0) return null;
  return (
    <>
      <p>{t('Devolva o que não foi entregue:', 'Hand back what was not delivered:')}</p>
      <ul>
        {failed.map(({ id, numero_pedido, destinatario, endereco }) => (
          <li key={id}>
            <strong>{numero_pedido ?? destinatario ?? endereco}</strong>
            {numero_pedido && destinatario && ` · ${destinatario}`}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The amount to collect from the recipient, if any. */
function Collect({ stop }: { stop: Stop }) {
  const t = useWords();
  const language = useLanguage();
  if (stop.valor_a_receber === null) return null;
  return (
    <p className="collect">
      <Icon name="money" />
      <span>
        {t('Receber', 'Collect')} <strong>{formatMoney(stop.valor_a_receber)}</strong>
        {isPaidAtDoor(stop) && ` (${paymentLabel[stop.forma_pagamento]?.[language]})`}
      </span>
    </p>
  );
}

/** A stop in the list: its number, its state in words and shape, its address and recipient. */
export function StopCard({ stop, number, isNext }: { stop: Stop; number: number; isNext: boolean }) {
  const t = useWords();
  const language = useLanguage();
  // What is expected and owed at the door is so until somebody was there.
  const isPending = stop.situacao === 'pendente';
  const when = isPending ? stop.previsao : stop.concluida_em;
  return (
    <li
      className={`stop ${stop.situacao} ${isNext ? 'next' : ''}`}
      aria-current={isNext ? 'step' : undefined}
    >
      <span className="number" aria-hidden="true">
        {stop.situacao === 'concluida' ? (
          <Icon name="check" />
        ) : stop.situacao === 'nao_entregue' ? (
          <Icon name="cross" />
        ) : (
          number
        )}
      </span>
      <div>
        <p>
          <strong>{stop.endereco}</strong>
          {stop.complemento && `, ${stop.complemento}`}
        </p>
        <p className="soft">
          {[
            stop.destinatario,
            stop.situacao === 'concluida' && t('entregue', 'delivered'),
            stop.situacao === 'nao_entregue' && t('não entregue', 'not delivered'),
            isPending && stop.tentativas > 0 && t('tentar de novo', 'try again'),
            when &&
              `${stop.concluida_em ? '' : `${t('previsão', 'expected')} `}${formatClock(when, language)}`,
            isPending &&
              stop.exigencias &&
              windowWords(stop.exigencias, t, (at) => formatClock(at, language)),
            isPending &&
              stop.valor_a_receber !== null &&
              `${t('receber', 'collect')} ${formatMoney(stop.valor_a_receber)}`,
            stop.agrupada && t('agrupada', 'grouped in'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </li>
  );
}
