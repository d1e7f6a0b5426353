import { useEffect, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { visitOfDraft } from '../core/draft.ts';
import { currentRun } from '../core/localView.ts';
import { useApp, useAppState, useScreen } from '../useApp.ts';
import { ConcludeSheet, type Handover } from './ConcludeSheet.tsx';
import { Earnings } from './Earnings.tsx';
import { Home } from './Home.tsx';
import { Menu } from './Menu.tsx';
import { News } from './News.tsx';
import { Offers } from './Offers.tsx';
import { Pending } from './Pending.tsx';
import { RunScreen } from './RunScreen.tsx';
import { SignIn } from './SignIn.tsx';
import { TopBar } from './TopBar.tsx';

export function App() {
  const t = useWords();
  const app = useApp();
  const { phase, view } = useAppState('phase', 'view');
  const screen = useScreen();

  // The end of a start, for measuring its duration.
  useEffect(() => {
    performance.mark('malote-shown');
    app.onShown();
  }, [app]);

  if (phase === 'starting') return null;
  if (phase === 'elsewhere')
    return (
      <main className="sign-in">
        <h1>{t('Aberto em outra janela', 'Open in another window')}</h1>
        <p>
          {t(
            'O aplicativo está sendo usado em outra janela deste aparelho.',
            'The app is in use in another window of this phone.',
          )}
        </p>
        <button type="button" className="big" onClick={() => location.reload()}>
          {t('Usar aqui', 'Use it here')}
        </button>
      </main>
    );
  if (phase === 'signed-out') return <SignIn />;
  return (
    <>
      <TopBar screen={screen} />
      <Page screen={screen} />
      {view && view.ofertas.length > 0 && <Offers offers={view.ofertas} />}
      <News />
    </>
  );
}

function Page({ screen }: { screen: string }) {
  const t = useWords();
  const { view, draft } = useAppState('view', 'draft');
  // The state is here and not in RunScreen, which disappears as soon as the last stop is confirmed.
  const [handover, setHandover] = useState<Handover | null>(() =>
    draft?.sheet === 'conclude' ? visitOfDraft(draft, view) : null,
  );
  if (screen === 'menu') return <Menu />;
  if (screen === 'pendentes') return <Pending />;
  if (!view)
    return (
      <main>
        <p role="status" className="empty">
          {t('Buscando o seu trabalho…', 'Fetching your work…')}
        </p>
      </main>
    );
  if (screen === 'ganhos') return <Earnings />;
  const run = currentRun(view);
  return (
    <>
      {run ? <RunScreen run={run} view={view} onConclude={setHandover} /> : <Home view={view} />}
      {handover && <ConcludeSheet {...handover} view={view} onClose={() => setHandover(null)} />}
    </>
  );
}
