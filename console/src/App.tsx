import { useEffect } from 'react';
import { useLive } from './live.ts';
import { pages } from './pages.tsx';
import { Link, usePlace } from './router.tsx';
import { useLogOut, useSession } from './session.tsx';
import { chooseLanguage, useLanguage, useWords } from './words.ts';

/** The frame around every page: where one can go, who one is, and whether what one sees is live. */
export function App() {
  const t = useWords();
  const session = useSession();
  const connected = useLive();
  const { path } = usePlace();
  const visible = pages.filter((page) => page.roles.includes(session.papel));
  const page = visible.find((one) => one.matches(path)) ?? visible[0]!;

  useEffect(() => {
    document.documentElement.style.setProperty('--accent', session.central.cor);
    document.title = `${t(page.pt, page.en)} · ${session.central.nome}`;
  });

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t('Ir para o conteúdo', 'Skip to content')}
      </a>
      <nav aria-label={t('Seções', 'Sections')}>
        <p className="brand">{session.central.nome}</p>
        {session.central.simulacao && <p className="mark">{t('Simulação ligada', 'Simulation on')}</p>}
        <ul>
          {visible
            .filter((one) => one.inMenu)
            .map((one) => (
              <li key={one.path}>
                <Link to={one.path} aria-current={one === page ? 'page' : undefined}>
                  {t(one.pt, one.en)}
                </Link>
              </li>
            ))}
        </ul>
        <Foot />
      </nav>
      <main id="content" tabIndex={-1}>
        {!connected && (
          <p role="status" className="banner">
            {t(
              'Sem atualização ao vivo. Reconectando; o que você vê pode estar atrasado.',
              'No live updates. Reconnecting; what you see may be behind.',
            )}
          </p>
        )}
        <page.Page />
      </main>
    </div>
  );
}

function Foot() {
  const t = useWords();
  const language = useLanguage();
  const session = useSession();
  const logOut = useLogOut();
  return (
    <footer>
      <p>{session.usuario}</p>
      <button type="button" className="plain" onClick={() => chooseLanguage(language === 'pt' ? 'en' : 'pt')}>
        {language === 'pt' ? 'English' : 'Português'}
      </button>
      <button type="button" className="plain" onClick={() => void logOut()}>
        {t('Sair', 'Log out')}
      </button>
    </footer>
  );
}
