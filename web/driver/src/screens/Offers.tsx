import { useEffect, useState } from 'react';
import { equipmentWords, loadWords } from '../../../shared/demandWords.ts';
import { counted, formatMoney } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { Offer } from '../core/work.ts';
import { play } from '../device/sound.ts';
import { areaOf, formatClock, formatMetres, formatMinutes } from '../format.ts';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp, useServerNow } from '../useApp.ts';

const SOUND_MS = 4_000;

/** Shows the offers over everything else, one at a time, in the order in which they expire. A run is one offer. */
export function Offers({ offers }: { offers: readonly Offer[] }) {
  const t = useWords();
  const now = useServerNow(250);
  const open = offers
    .filter(({ expira_em }) => !expira_em || Date.parse(expira_em) > now)
    .toSorted((a, b) => endOf(a) - endOf(b));
  const [first] = open;
  const isOpen = first !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => play('offer'), SOUND_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  if (!first) return null;
  const run = runOf(first, open);
  const title =
    run.length > 1
      ? t(`Nova corrida com ${run.length} pedidos`, `New run of ${run.length} orders`)
      : open.length > 1
        ? t(`Nova oferta (1 de ${open.length})`, `New offer (1 of ${open.length})`)
        : t('Nova oferta', 'New offer');
  return <OfferCard key={first.id_mch} offers={run} title={title} now={now} />;
}

/** The offers that are accepted with this one, in the order in which they are carried out. */
const runOf = (first: Offer, open: readonly Offer[]): readonly Offer[] =>
  first.corrida === undefined ? [first] : open.filter(({ corrida }) => corrida === first.corrida);

const sumOf = (offers: readonly Offer[], of: 'metros' | 'segundos' | 'paradas'): number =>
  offers.reduce((sum, offer) => sum + offer[of], 0);

/** Null where the pay of one of them is not known. */
function payOf(offers: readonly Offer[]): string | null {
  const cents = offers.map(({ ganho }) => (ganho === null ? Number.NaN : Math.round(Number(ganho) * 100)));
  const sum = cents.reduce((total, each) => total + each, 0);
  return Number.isNaN(sum) ? null : (sum / 100).toFixed(2);
}

const endOf = ({ expira_em }: Offer): number =>
  expira_em ? Date.parse(expira_em) : Number.POSITIVE_INFINITY;

const REASONS = ['longe', 'ocupado', 'valor', 'outro'] as const;

function OfferCard({ offers, title, now }: { offers: readonly Offer[]; title: string; now: number }) {
  const offer = offers[0]!;
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const [isRefusing, setRefusing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useFocusOn(String(isRefusing));
  const [problem, setProblem] = useState<string | null>(null);

  const answer = async (verb: 'aceitar' | 'recusar', body: unknown): Promise<void> => {
    setBusy(true);
    setProblem(null);
    // Accepting one of a run accepts all of it; each is refused by itself.
    const answered = verb === 'aceitar' ? [offer] : offers;
    let result = await app.answerOffer(offer.id_mch, verb, body);
    for (const { id_mch } of answered.slice(1))
      if (result.kind === 'ok') result = await app.answerOffer(id_mch, verb, body);
    setBusy(false);
    if (result.kind === 'refused') setProblem(result.refusal.messages.join(' '));
    else if (result.kind === 'busy' || result.kind === 'unreached')
      setProblem(
        t(
          'Sem conexão. A oferta continua aberta: tente de novo.',
          'No connection. The offer is still open: try again.',
        ),
      );
  };
  const reasons: Record<(typeof REASONS)[number], string> = {
    longe: t('Longe demais', 'Too far'),
    ocupado: t('Estou ocupado', 'I am busy'),
    valor: t('Valor baixo', 'Low pay'),
    outro: t('Outro motivo', 'Another reason'),
  };
  const pay = payOf(offers);

  return (
    <Sheet
      title={title}
      onClose={() => setRefusing(true)}
      hasCross={false}
      foot={
        isRefusing ? (
          <>
            <p className="soft">{t('Por que recusar?', 'Why refuse?')}</p>
            <div className="choices">
              {REASONS.map((motivo) => (
                <button
                  key={motivo}
                  type="button"
                  disabled={isBusy}
                  onClick={() => void answer('recusar', { motivo })}
                >
                  {reasons[motivo]}
                </button>
              ))}
            </div>
            <button type="button" className="plain" onClick={() => setRefusing(false)}>
              {t('Voltar à oferta', 'Back to the offer')}
            </button>
          </>
        ) : (
          <>
            <button type="button" className="quiet" disabled={isBusy} onClick={() => setRefusing(true)}>
              {t('Recusar', 'Refuse')}
            </button>
            <button
              type="button"
              className="big"
              disabled={isBusy}
              onClick={() => void answer('aceitar', {})}
            >
              {isBusy ? t('Enviando…', 'Sending…') : t('Aceitar', 'Accept')}
            </button>
          </>
        )
      }
    >
      <div className="offer">
        <Countdown offer={offer} now={now} />
        {pay !== null && (
          <p className="offer-pay">
            <span className="soft">{t('Você ganha', 'You earn')}</span>
            <strong className="pay">{formatMoney(pay)}</strong>
          </p>
        )}
      </div>
      {problem && (
        <p role="alert" className="note danger">
          {problem}
        </p>
      )}
      <dl className="figures">
        {offer.metros_ate_coleta !== null && (
          <div>
            <dt>{t('Até a coleta', 'To the pickup')}</dt>
            <dd>{formatMetres(offer.metros_ate_coleta, language)}</dd>
          </div>
        )}
        <div>
          <dt>{t('Corrida', 'Run')}</dt>
          <dd>{formatMetres(sumOf(offers, 'metros'), language)}</dd>
        </div>
        <div>
          <dt>{t('Duração', 'Duration')}</dt>
          <dd>{formatMinutes(sumOf(offers, 'segundos'))}</dd>
        </div>
        <div>
          <dt>{t('Paradas', 'Stops')}</dt>
          <dd>{sumOf(offers, 'paradas')}</dd>
        </div>
      </dl>
      {offers.length > 1 && (
        <p>
          {t(
            'Uma entrega depois da outra, nesta ordem. Aceitar leva todas.',
            'One delivery after another, in this order. Accepting takes all.',
          )}
        </p>
      )}
      {offers.map((each, index) => (
        <section key={each.id_mch} className="card">
          <p className="soft">
            {offers.length > 1 ? t(`Coleta ${index + 1}`, `Pickup ${index + 1}`) : t('Coleta', 'Pickup')}
          </p>
          <p className="address">{each.coleta.endereco}</p>
          <p>{areaOf(each.coleta)}</p>
          <Demands offer={each} />
          {each.com_retorno && (
            <p className="tag">
              <Icon name="back" />
              {t('Com retorno à coleta', 'Returns to the pickup')}
            </p>
          )}
        </section>
      ))}
    </Sheet>
  );
}

/** What decides whether the driver can take it: ready time, load and equipment. */
function Demands({ offer: { exigencias } }: { offer: Offer }) {
  const t = useWords();
  const language = useLanguage();
  if (!exigencias) return null;
  const words = [
    exigencias.pronto_em && `${t('pronto às', 'ready at')} ${formatClock(exigencias.pronto_em, language)}`,
    loadWords(exigencias, t, language),
    exigencias.equipamentos.length > 0 &&
      `${t('precisa de', 'needs')} ${equipmentWords(exigencias.equipamentos, language)}`,
  ].filter(Boolean);
  return words.length > 0 ? <p>{words.join(' · ')}</p> : null;
}

const RADIUS = 52;
const ROUND = 2 * Math.PI * RADIUS;

/** A ring that empties as the offer's time runs out. An offer without an end has none. */
function Countdown({ offer, now }: { offer: Offer; now: number }) {
  const t = useWords();
  if (!offer.expira_em) return <p className="tag">{t('A central escolheu você', 'The central chose you')}</p>;
  const [start, end] = [Date.parse(offer.oferecida_em), Date.parse(offer.expira_em)];
  const share = Math.min(1, Math.max(0, (end - now) / Math.max(1, end - start)));
  const seconds = Math.max(0, Math.ceil((end - now) / 1_000));
  return (
    <div
      className={`ring ${seconds <= 10 ? 'late' : ''}`}
      role="timer"
      aria-label={t(
        `${counted(seconds, 'segundo', 'segundos')} para responder`,
        `${counted(seconds, 'second', 'seconds')} to answer`,
      )}
    >
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle className="ring-ground" cx="60" cy="60" r={RADIUS} />
        <circle
          className="ring-left"
          cx="60"
          cy="60"
          r={RADIUS}
          strokeDasharray={`${ROUND * share} ${ROUND}`}
        />
      </svg>
      <span aria-hidden="true">{seconds}</span>
    </div>
  );
}
