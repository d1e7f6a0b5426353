import { type ComponentType, useEffect, useState } from 'react';
import { PageFailure } from './ui/Boundary.tsx';
import { useWords } from './words.ts';

const WAIT_MS = 300;
const RELOADED = 'malote.recarregada';
const loaders: (() => Promise<unknown>)[] = [];

/** A page whose script is loaded when it is first shown, or before (`loadAll`). */
export function later(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  const get = async (): Promise<ComponentType> => {
    loaded ??= await load();
    return loaded;
  };
  loaders.push(get);

  return function LaterPage() {
    const [Page, setPage] = useState<ComponentType | undefined>(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Page) return;
      get().then(
        (page) => {
          sessionStorage.removeItem(RELOADED);
          setPage(() => page);
        },
        async () => setFailed(!(await reloadOnce())),
      );
    }, [Page]);
    if (Page) return <Page />;
    return hasFailed ? <Failed /> : <Waiting />;
  };
}

/** All pages, once the first one stands: the next one is there when it is asked for, also after an update. */
export function loadAll(): void {
  // One that cannot be had now is asked for again when it is shown.
  for (const load of loaders) void load().catch(() => undefined);
}

/**
 * The service was updated meanwhile, and has the page's script under another name: the new version is opened, once.
 * Answers whether it is. A service that does not answer at all would leave no page behind.
 */
async function reloadOnce(): Promise<boolean> {
  if (sessionStorage.getItem(RELOADED) === import.meta.url) return false;
  const answer = await fetch('/console', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return false;
  sessionStorage.setItem(RELOADED, import.meta.url);
  location.reload();
  return true;
}

/** Nothing at first: most scripts are there before anybody can read that they are not. */
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
