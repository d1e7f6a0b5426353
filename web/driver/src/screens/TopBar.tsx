import { useWords } from '../../../shared/words.ts';
import { unconfirmed } from '../core/outbox.ts';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { Unkept } from '../ui/Unkept.tsx';
import { useAppState } from '../useApp.ts';

/** Always visible: the state of the network and the number of actions that the central has not confirmed. */
export function TopBar({ screen }: { screen: string }) {
  const t = useWords();
  const { session, entries, isOnline, view, applyUpdate } = useAppState(
    'session',
    'entries',
    'isOnline',
    'view',
    'applyUpdate',
  );
  const own = unconfirmed(entries, session!.condutor_id);
  const refused = own.filter(({ state }) => state === 'refused').length;
  const titles: Record<string, string> = {
    menu: t('Menu', 'Menu'),
    ganhos: t('Ganhos', 'Earnings'),
    pendentes: t('Para enviar', 'To be sent'),
  };
  const title = titles[screen];
  useFocusOn(screen);
  return (
    <>
      <header className="top">
        {title ? (
          <a key="back" className="square" href="#/" aria-label={t('Voltar', 'Back')}>
            <Icon name="back" />
          </a>
        ) : (
          <a key="menu" className="square" href="#/menu" aria-label={t('Menu', 'Menu')}>
            <Icon name="menu" />
          </a>
        )}
        <h1 tabIndex={-1}>{title ?? view?.central.nome ?? session!.central.nome}</h1>
        <div role="status">
          <a className={`state ${isOnline ? '' : 'off'}`} href="#/pendentes">
            <Icon name={isOnline ? 'cloud' : 'noCloud'} />
            <span>
              {isOnline ? t('Conectado', 'Online') : t('Sem rede', 'Offline')}
              {own.length > 0 && (
                <b>
                  {' '}
                  {own.length} {t('a enviar', 'to send')}
                </b>
              )}
            </span>
          </a>
        </div>
      </header>
      <Unkept className="strip danger" />
      {refused > 0 && screen !== 'pendentes' && (
        <a className="strip danger" href="#/pendentes">
          <Icon name="alert" />
          <span>
            {t(
              refused === 1 ? 'A central recusou uma ação.' : `A central recusou ${refused} ações.`,
              refused === 1 ? 'The central refused an action.' : `The central refused ${refused} actions.`,
            )}{' '}
            <u>{t('Resolver', 'Resolve')}</u>
          </span>
        </a>
      )}
      {applyUpdate && (
        <button type="button" className="strip" onClick={applyUpdate}>
          <span>
            {t('Há uma versão nova.', 'There is a new version.')} <u>{t('Atualizar agora', 'Update now')}</u>
          </span>
        </button>
      )}
    </>
  );
}
