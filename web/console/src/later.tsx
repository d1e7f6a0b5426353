import { type ComponentType, useEffect, useState } from 'react';
import { useWords } from '../../shared/words.ts';
import { PageFailure } from './ui/Boundary.tsx';

const WAIT_MS = 300;
const RELOADED = 'malote.recarregada';

type Pages = typeof import('./laterPages.ts');
let loaded: Pages | undefined;

/** Loads the script of all pages but the first. Loaded in advance, they open also after an update of the service. */
export async function loadLater(): Promise<Pages> {
  loaded ??= await import('./laterPages.ts');
  return loaded;
}

/** A page of that script, which is loaded when one of its pages is first shown, or before (`loadLater`). */
export function later(pick: (pages: Pages) => ComponentType): ComponentType {
  return function LaterPage() {
    const [Page, setPage] = useState<ComponentType | undefined>(() => loaded && pick(loaded));
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Page) return;
      loadLater().then(
        (pages) => {
          sessionStorage.removeItem(RELOADED);
          setPage(() => pick(pages));
        },
        async () => setFailed(!(await reloadOnce())),
      );
    }, [Page]);
    if (Page) return <Page />;
    return hasFailed ? <Failed /> : <Waiting />;
  };
}

/**
 * Reloads the console, once, if the service was updated and now has the script under another name. Returns whether it
 * reloads. It does not if the service does not answer, because no page would be left.
 */
async function reloadOnce(): Promise<boolean> {
  if (sessionStorage.getItem(RELOADED) === import.meta.url) return false;
  const answer = await fetch('/console', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return false;
  sessionStorage.setItem(RELOADED, import.meta.url);
  location.reload();
  return true;
}

/** Shows nothing at first, because most scripts arrive before the text could be read. */
function Waiting() {
  const t = useWords();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? (
    <p role="status" className="loading">
      {t('Carregando…', 'Loading…')}
    </p>
  ) : null;
}

function Failed() {
  const t = useWords();
  return (
    <PageFailure
      text={t(
        'Não foi possível carregar esta página: o serviço não respondeu ou acabou de ser atualizado.',
        'This page could not be loaded: the service did not answer or was just updated.',
      )}
      again={t('Tentar novamente', 'Try again')}
    />
  );
}
