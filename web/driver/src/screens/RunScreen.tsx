import { useEffect, useState } from 'react';
import { formatMoney } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { visitOf } from '../core/failure.ts';
import type { LocalRun, LocalWork } from '../core/localView.ts';
import { nextStep, type Step, targetOf } from '../core/nextStep.ts';
import { type Navigator, navigationLink } from '../device/navigation.ts';
import { formatMetres, formatMinutes } from '../format.ts';
import { useFocusOn } from '../ui/focus.ts';
import { LocationNote } from '../ui/LocationNote.tsx';
import { useApp, useAppState } from '../useApp.ts';
import { type Handover, rulesOf } from './ConcludeSheet.tsx';
import { FailSheet } from './FailSheet.tsx';
import { GiveUpSheet } from './GiveUpSheet.tsx';
import { NavigatorSheet } from './NavigatorSheet.tsx';
import { RunMap } from './RunMap.tsx';
import { StopCard, TargetCard } from './StopCard.tsx';

/** The big button waits this long after each step, so that a late tap does not perform the next one. */
const TAPPABLE_MS = 900;

interface RunScreenProps {
  run: LocalRun;
  view: LocalWork;
  onConclude: (handover: Handover) => void;
}

/** The current run: the next place with its details, and one big button for the next step. */
export function RunScreen({ run, view, onConclude }: RunScreenProps) {
  const t = useWords();
  const language = useLanguage();
  const app = useApp();
  const { journeys, here, navigator, draft } = useAppState('journeys', 'here', 'navigator', 'draft');
  const step = nextStep(run, journeys, here);
  const [sheet, setSheet] = useState<'fail' | 'navigator' | 'give-up' | null>(() =>
    draft?.sheet === 'fail' && draft.stopId === step.stop?.id ? 'fail' : null,
  );
  const shown = `${run.id_mch} ${step.kind} ${step.stop?.id ?? ''}`;
  const isTappable = useShownLongEnough(shown);
  useFocusOn(shown);
  const deliveryId = run.id_mch;

  const leave = (to: Navigator): void => {
    if (!step.place) return;
    open(navigationLink(to, step.place), '_blank', 'noopener');
    app.goTo(run, targetOf(step)!);
  };
  const go = (): void => (navigator ? leave(navigator) : setSheet('navigator'));
  const press = (): void => {
    if (step.kind === 'go-pickup' || step.kind === 'go-stop' || step.kind === 'go-return') go();
    else if (step.kind === 'conclude') onConclude({ run, stop: step.stop });
    else if (step.kind === 'arrive-stop')
      void app.act({ kind: 'arrive-stop', deliveryId, stopId: step.stop.id, visit: visitOf(step.stop) });
    else if (step.kind !== 'wait' && step.kind !== 'over') void app.act({ kind: step.kind, deliveryId });
  };

  const done = run.paradas.filter(({ situacao }) => situacao !== 'pendente').length;
  const waiting = view.corridas.filter(({ status, isOver }) => status === 'S' && !isOver);
  return (
    <main className="run">
      <p className="progress">
        <span>
          {t('Entrega', 'Delivery')} {run.id_mch}
          {run.empresa && ` · ${run.empresa}`}
        </span>
        <span>
          {done}/{run.paradas.length} {run.paradas.length === 1 ? t('parada', 'stop') : t('paradas', 'stops')}
        </span>
      </p>
      {step.place && (
        <TargetCard step={step} run={run} onNavigate={go} onChooseNavigator={() => setSheet('navigator')} />
      )}
      {run.valor_a_receber !== null && (
        <p className="note">
          {t('Receba em dinheiro por esta entrega:', 'Collect in cash for this delivery:')}{' '}
          <strong>{formatMoney(run.valor_a_receber)}</strong>
        </p>
      )}
      <LocationNote />
      <RunMap run={run} here={here} />
      <section aria-label={t('Paradas na ordem', 'Stops in order')}>
        <h2>{t('Paradas', 'Stops')}</h2>
        <ol className="stops">
          {run.paradas.map((stop, index) => (
            <StopCard key={stop.id} stop={stop} number={index + 1} isNext={stop.id === step.stop?.id} />
          ))}
        </ol>
      </section>
      <p className="soft">
        {formatMetres(run.metros, language)} · {formatMinutes(run.segundos)}
        {run.ganho !== null && ` · ${t('você ganha', 'you earn')} ${formatMoney(run.ganho)}`}
        {run.com_retorno && ` · ${t('com retorno', 'with return')}`}
      </p>
      {waiting.length > 0 && (
        <p className="note">
          {waiting.length === 1
            ? t(
                'Mais uma entrega espera por você depois desta.',
                'One more delivery waits for you after this one.',
              )
            : t(
                `Mais ${waiting.length} entregas esperam por você depois desta.`,
                `${waiting.length} more deliveries wait for you after this one.`,
              )}
        </p>
      )}
      {run.status === 'A' && (
        <button type="button" className="plain" onClick={() => setSheet('give-up')}>
          {t('Não posso fazer esta entrega', 'I cannot do this delivery')}
        </button>
      )}

      <div className="thumb">
        <SecondButton step={step} onFail={() => setSheet('fail')} run={run} />
        <button type="button" className="big" disabled={!isTappable || step.kind === 'wait'} onClick={press}>
          {stepWords(step, t)}
        </button>
      </div>

      {sheet === 'fail' && step.stop && (
        <FailSheet
          run={run}
          stop={step.stop}
          takesPhotos={rulesOf(run, view).foto !== 'nao'}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet === 'give-up' && <GiveUpSheet run={run} onClose={() => setSheet(null)} />}
      {sheet === 'navigator' && (
        <NavigatorSheet
          onClose={() => setSheet(null)}
          onChosen={(chosen) => {
            setSheet(null);
            leave(chosen);
          }}
        />
      )}
    </main>
  );
}

/** The alternative to the next step. */
function SecondButton({ step, run, onFail }: { step: Step; run: LocalRun; onFail: () => void }) {
  const t = useWords();
  const app = useApp();
  if (step.kind === 'go-pickup' || step.kind === 'go-stop' || step.kind === 'go-return')
    return (
      <button key="there" type="button" className="quiet" onClick={() => app.goTo(run, targetOf(step)!)}>
        {t('Já estou lá', 'I am there')}
      </button>
    );
  if (step.kind === 'arrive-stop' || step.kind === 'conclude')
    return (
      <button key="fail" type="button" className="quiet" onClick={onFail}>
        {t('Não consegui entregar', 'I could not deliver')}
      </button>
    );
  return null;
}

function stepWords(step: Step, t: (pt: string, en: string) => string): string {
  switch (step.kind) {
    case 'go-pickup':
      return t('Ir para a coleta', 'Go to the pickup');
    case 'arrive-pickup':
      return t('Cheguei na coleta', 'I am at the pickup');
    case 'start':
      return t('Peguei os pedidos', 'I have the goods');
    case 'go-stop':
      return t('Ir para a parada', 'Go to the stop');
    case 'arrive-stop':
      return t('Cheguei', 'I have arrived');
    case 'conclude':
      return t('Entregar', 'Hand over');
    case 'go-return':
      return t('Voltar à coleta', 'Go back to the pickup');
    case 'finish':
      return t('Finalizar', 'Finish');
    case 'wait':
      return t('Aguarde', 'Wait');
    case 'over':
      return t('Concluída', 'Done');
  }
}

/** Whether a step has been shown long enough for a tap to be intended. */
function useShownLongEnough(name: string): boolean {
  const [shownName, setShownName] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setShownName(name), TAPPABLE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return shownName === name;
}
