import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import { useWebhooks } from '../../data/webhooks.ts';
import { useAction } from '../../form.ts';
import { Link } from '../../router.tsx';
import { useSteady } from '../../ui/steady.ts';
import { TimeAgo } from '../../ui/texts.tsx';

/** Webhooks that are failing or paused. Each can be tried here, and its page has the details. */
export function FailingWebhooks({ count, limit }: { count: number; limit: number }) {
  const t = useWords();
  const failing = (useSteady(useWebhooks().data) ?? []).filter(
    ({ estado }) => estado === 'falhando' || estado === 'pausado',
  );
  const title = t('Webhooks que falham', 'Failing webhooks');
  return (
    <section aria-label={title}>
      <h3>
        {title} <Link to="/webhooks">{count}</Link>
      </h3>
      <ul className="attention-list">
        {failing.slice(0, limit).map(({ id, url, estado, falhando_desde }) => (
          <li key={id}>
            <Link to={`/webhooks/${id}`} className="attention-entry">
              <span className="attention-head">
                <strong className="line">{new URL(url).host}</strong>
                <span className="soft">
                  <TimeAgo at={falhando_desde} only="age" />
                </span>
              </span>
              <span className="soft">
                {estado === 'pausado'
                  ? t('pausado: os eventos esperam', 'paused: events wait')
                  : t('falhando; tentamos de novo', 'failing; we try again')}
              </span>
            </Link>
            <span className="actions">
              <Resume id={id} isPaused={estado === 'pausado'} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Resume({ id, isPaused }: { id: string; isPaused: boolean }) {
  const t = useWords();
  const options = { refresh: ['webhooks', 'sendings', 'counts'], toastsFailure: true };
  const resume = useAction(() => call('integracao', 'PUT /webhooks/{id}', { id, body: { ativo: true } }), {
    ...options,
    done: t('Webhook reativado.', 'Webhook resumed.'),
  });
  const test = useAction(() => call('integracao', 'POST /webhooks/{id}/teste', { id }), {
    ...options,
    done: t('Evento de teste a caminho.', 'Test event on its way.'),
  });
  const action = isPaused ? resume : test;
  return (
    <button
      // Each is a separate element, so that a second click on one does not press the other.
      key={String(isPaused)}
      type="button"
      disabled={action.isPending}
      onClick={() => action.mutate()}
    >
      {isPaused ? t('Reativar', 'Resume') : t('Testar agora', 'Test now')}
    </button>
  );
}
