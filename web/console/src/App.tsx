import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { chooseLanguage, useLanguage, useWords } from '../../shared/words.ts';
import type { ConsolePage } from './consolePage.ts';
import { keepFocus } from './keepFocus.ts';
import { useKeys } from './keys.ts';
import { loadLater } from './later.tsx';
import { useLive } from './live.ts';
import { Alerts } from './pages/day/Bell.tsx';
import { pages, unknownPage } from './pages.tsx';
import { go, Link, restoreScroll, usePlace } from './router.tsx';
import { SearchBox } from './search/SearchBox.tsx';
import { useLogOut, useMay, useSession } from './session.tsx';
import { Boundary } from './ui/Boundary.tsx';
import { KeyHelp } from './ui/Dialog.tsx';
import { LastingDialogs } from './ui/Lasting.tsx';
import { Toasts, Working } from './ui/Toasts.tsx';
import './frame.css';

/** Leaves the network to the requests of the first page. */
const LOAD_LATER_MS = 2_000;

/** The frame around every page: the menu, the user, and the state of the live updates. */
export function App() {
  const t = useWords();
  const session = useSession();
  const connected = useLive();
  const { path } = usePlace();
  const visible = pages.filter(({ permission }) => session.permissoes.includes(permission));
  const page = visible.find(({ matches }) => matches(path)) ?? unknownPage;
  const [menuOpen, setMenuOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);

  useEffect(() => {
    applyAccent(session.central.cor);
    // Tabs of several deliveries are told apart by their numbers.
    const number = /^\/(?:entregas|programadas)\/(\d+)/.exec(path)?.[1];
    const name = [t(page.pt, page.en), page !== unknownPage && number].filter(Boolean).join(' ');
    document.title = `${name} · ${session.central.nome}`;
  });
  useEffect(() => {
    // If loading fails, it is tried again when one of these pages is shown.
    const timer = setTimeout(() => void loadLater().catch(() => undefined), LOAD_LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(keepFocus, []);
  // A new page starts at its top, with the focus there; Back returns to where the page was left.
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    setMenuOpen(false);
    // The page may have focused its first field.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    return restoreScroll();
  }, [path]);
  const mayOrder = useMay('order');
  useKeys({
    ...(mayOrder && { n: () => go('/nova') }),
    '?': () => setHelpOpen(true),
  });

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {t('Ir para o conteúdo', 'Skip to content')}
      </a>
      <Working />
      <nav aria-label={t('Seções', 'Sections')} className={menuOpen ? 'open' : undefined}>
        <p className="brand">{session.central.nome}</p>
        {session.central.simulacao && <p className="mark">{t('Simulação ligada', 'Simulation on')}</p>}
        <button
          type="button"
          className="menu-button"
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          {t('Menu', 'Menu')}
        </button>
        <ul>
          {visible
            .filter((each) => each.inMenu)
            .map((each) => (
              <li key={each.path}>
                <Link to={each.path} aria-current={currentIn(each, page)}>
                  {t(each.pt, each.en)}
                </Link>
              </li>
            ))}
        </ul>
        <Foot onHelp={() => setHelpOpen(true)} />
      </nav>
      <main id="content" ref={main} tabIndex={-1}>
        <SearchBox />
        {!connected && (
          <p role="status" className="banner">
            {t(
              'Sem atualização ao vivo. Reconectando; o que você vê pode estar atrasado.',
              'No live updates. Reconnecting; what you see may be behind.',
            )}
          </p>
        )}
        <Boundary place={path}>
          <LastingDialogs page={path}>
            <page.Page key={path} />
          </LastingDialogs>
        </Boundary>
      </main>
      <Toasts />
      <Alerts />
      {helpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function Foot({ onHelp }: { onHelp: () => void }) {
  const t = useWords();
  const language = useLanguage();
  const session = useSession();
  const logOut = useLogOut();
  const queries = useQueryClient();
  const changeLanguage = () => {
    chooseLanguage(language === 'pt' ? 'en' : 'pt');
    // Texts of the server are in the language of their request.
    void queries.invalidateQueries();
  };
  return (
    <footer>
      <p>{session.usuario}</p>
      <button type="button" className="plain" onClick={onHelp}>
        {t('Atalhos (?)', 'Shortcuts (?)')}
      </button>
      <button type="button" className="plain" onClick={changeLanguage}>
        {language === 'pt' ? 'English' : 'Português'}
      </button>
      <button type="button" className="plain" disabled={logOut.isPending} onClick={() => logOut.mutate()}>
        {t('Sair', 'Log out')}
      </button>
    </footer>
  );
}

/** Applies the central's colour, with a readable colour for text on it. */
function applyAccent(color: string): void {
  const { style } = document.documentElement;
  style.setProperty('--accent', color);
  style.setProperty('--accent-text', luminance(color) > 0.18 ? '#000000' : '#ffffff');
}

/** As WCAG defines it, 0 to 1; above 0.18 black has more contrast than white. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Marks the menu entry of a page, or of the page above it: deliveries for one delivery. */
function currentIn(entry: ConsolePage, page: ConsolePage): 'page' | 'true' | undefined {
  if (entry === page) return 'page';
  return entry.path !== '/' && page.path.startsWith(`${entry.path}/`) ? 'true' : undefined;
}
