import { useState } from 'react';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { actionWords, placeWords, refusalWords } from '../actionWords.ts';
import { laneOf } from '../core/action.ts';
import { isKnownTo } from '../core/localView.ts';
import { type Entry, unconfirmed } from '../core/outbox.ts';
import { telLink } from '../device/navigation.ts';
import { formatClock } from '../format.ts';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { useApp, useAppState } from '../useApp.ts';
import { type ConcludeAction, MissingProof, missingProofs } from './MissingProof.tsx';

/** Actions not yet sent, and refused ones. An action leaves the list when it is accepted or the driver discards it. */
export function Pending() {
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const { entries, session, isOnline, upload, work } = useAppState(
    'entries',
    'session',
    'isOnline',
    'upload',
    'work',
  );
  const own = unconfirmed(entries, session!.condutor_id);
  const refused = own.filter(({ state }) => state === 'refused');
  const waiting = own.filter(({ state }) => state === 'waiting');
  useFocusOn(own.map(({ seq, state }) => `${seq} ${state}`).join());
  const isBlocked = waiting.some(({ action }) =>
    refused.some((entry) => laneOf(entry.action) === laneOf(action)),
  );
  const others = entries.filter(
    ({ driverId, state }) => driverId !== session!.condutor_id && state !== 'sent',
  );
  return (
    <main>
      {own.length === 0 && (
        <p className="empty" role="status">
          <Icon name="check" />
          {t('Tudo enviado à central.', 'Everything was sent to the central.')}
        </p>
      )}
      {refused.map((entry) => (
        <Refused key={entry.seq} entry={entry} all={own} />
      ))}
      {waiting.length > 0 && (
        <section className="card">
          <h2>{t('Esperando para enviar', 'Waiting to be sent')}</h2>
          <ul className="plain-list">
            {waiting.map(({ seq, action, happenedAt }) => (
              <li key={seq}>
                <span>
                  {actionWords(action, t)}
                  <small className="soft">{placeWords(action, work)}</small>
                </span>
                <span className="soft">
                  {upload?.seq === seq
                    ? t(`enviando, ${upload.percent} %`, `sending, ${upload.percent} %`)
                    : formatClock(happenedAt, language)}
                </span>
              </li>
            ))}
          </ul>
          <p className="soft">
            {isBlocked
              ? t(
                  'As ações da mesma entrega esperam até você resolver a recusada acima.',
                  'Actions of the same delivery wait until you resolve the refused one above.',
                )
              : isOnline
                ? t('Estão sendo enviadas na ordem.', 'They are being sent in order.')
                : t(
                    'Serão enviadas sozinhas quando a rede voltar. Pode continuar trabalhando.',
                    'They are sent by themselves when the network is back. You can go on working.',
                  )}
          </p>
          <button type="button" onClick={app.sendNow}>
            {t('Tentar agora', 'Try now')}
          </button>
        </section>
      )}
      {others.length > 0 && (
        <p className="note">
          {t(
            `${others.length} ${others.length === 1 ? 'ação' : 'ações'} de outra pessoa que usou este aparelho ${others.length === 1 ? 'espera' : 'esperam'} que ela entre de novo.`,
            `${others.length} ${others.length === 1 ? 'action' : 'actions'} of another person who used this phone ${others.length === 1 ? 'waits' : 'wait'} for that person to sign in again.`,
          )}
        </p>
      )}
    </main>
  );
}

/** A refused action, with the ways to resolve it. */
function Refused({ entry, all }: { entry: Entry; all: readonly Entry[] }) {
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const { work } = useAppState('work');
  const { action, seq, refusal } = entry;
  const [code, setCode] = useState('');
  const [isDiscarding, setDiscarding] = useState(false);
  useFocusOn(String(isDiscarding));
  const followers = all.filter((each) => each.seq > seq && laneOf(each.action) === laneOf(action));
  const isDone = work !== null && 'deliveryId' in action && isKnownTo(work, action);
  const needsCode = action.kind === 'conclude' && /code/.test(refusal?.kind ?? '');
  const lacks = action.kind === 'conclude' ? missingProofs[refusal?.kind ?? ''] : undefined;
  const [corrected, setCorrected] = useState<ConcludeAction | null>(null);
  const phone = work?.central.telefone_ajuda;
  const place = placeWords(action, work);
  return (
    <section className="card refused" aria-label={t('Recusada pela central', 'Refused by the central')}>
      <h2>
        <Icon name="alert" />
        {actionWords(action, t)}
      </h2>
      <p className="soft">
        {t('Feita às', 'Done at')} {formatClock(entry.happenedAt, language)}
        {'deliveryId' in action && ` · ${t('entrega', 'delivery')} ${action.deliveryId}`}
      </p>
      {place && <p>{place}</p>}
      {refusalWords(refusal, t).map((line) => (
        <p key={line} className="note danger">
          {line}
        </p>
      ))}
      {isDone && (
        <p className="note">
          {t(
            'A central já tem isto registrado. Pode descartar.',
            'The central has this on record already. You can discard it.',
          )}
        </p>
      )}
      {followers.length > 0 && (
        <p>
          {t(
            `${followers.length} ${followers.length === 1 ? 'ação seguinte espera' : 'ações seguintes esperam'} por esta.`,
            `${followers.length} later ${followers.length === 1 ? 'action waits' : 'actions wait'} for this one.`,
          )}
        </p>
      )}
      {needsCode && (
        <label className="field">
          <span>{t('Código correto', 'Right code')}</span>
          <input
            className="code"
            inputMode="numeric"
            maxLength={9}
            value={code}
            onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
          />
        </label>
      )}
      {lacks && action.kind === 'conclude' && (
        <MissingProof lacks={lacks} action={corrected ?? action} onChange={setCorrected} />
      )}
      {isDiscarding ? (
        <div role="alert">
          <p>
            {t(
              'Descartar significa que a central nunca saberá disto. Tem certeza?',
              'Discarding means that the central will never know of this. Are you sure?',
            )}
          </p>
          <div className="choices column">
            <button type="button" className="danger" onClick={() => void app.discard([seq])}>
              {t('Descartar só esta', 'Discard only this one')}
            </button>
            {followers.length > 0 && (
              <button
                type="button"
                className="danger"
                onClick={() => void app.discard([seq, ...followers.map((each) => each.seq)])}
              >
                {t('Descartar esta e as seguintes', 'Discard this one and the later ones')}
              </button>
            )}
            <button type="button" onClick={() => setDiscarding(false)}>
              {t('Não descartar', 'Do not discard')}
            </button>
          </div>
        </div>
      ) : (
        <div className="choices column">
          <button
            type="button"
            className="primary"
            disabled={(needsCode && !code) || (lacks !== undefined && corrected === null)}
            onClick={() =>
              void app.retry(
                seq,
                corrected ??
                  (needsCode
                    ? { ...action, body: { ...action.body, codigo_confirmacao: Number(code) } }
                    : undefined),
              )
            }
          >
            {t('Tentar de novo', 'Try again')}
          </button>
          {phone && (
            <a className="button" href={telLink(phone)}>
              <Icon name="phone" />
              {t('Ligar para a central', 'Call the central')}
            </a>
          )}
          <button type="button" onClick={() => setDiscarding(true)}>
            {t('Descartar', 'Discard')}
          </button>
        </div>
      )}
    </section>
  );
}
