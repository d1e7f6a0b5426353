import { useState } from 'react';
import { formatPhone } from '../../../shared/formats.ts';
import { chooseLanguage, useLanguage, useWords } from '../../../shared/words.ts';
import { currentRun } from '../core/localView.ts';
import { unconfirmed } from '../core/outbox.ts';
import { phoneLabel } from '../core/phoneLabel.ts';
import { telLink, whatsAppLink } from '../device/navigation.ts';
import { APP_VERSION } from '../device/phone.ts';
import { DutySwitch } from '../ui/DutySwitch.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Sheet } from '../ui/Sheet.tsx';
import { useApp, useAppState } from '../useApp.ts';
import { NavigatorSheet } from './NavigatorSheet.tsx';

export function Menu() {
  const t = useWords();
  const language = useLanguage();
  const { session, view, battery } = useAppState('session', 'view', 'battery');
  const [sheet, setSheet] = useState<'help' | 'out' | 'navigator' | null>(null);
  const phone = view?.central.telefone_ajuda;
  return (
    <main>
      {view && currentRun(view) && <DutySwitch isOn={view.condutor.disponivel} />}
      <nav className="menu" aria-label={t('Menu', 'Menu')}>
        <a href="#/ganhos">
          <Icon name="money" />
          {t('Ganhos', 'Earnings')}
        </a>
        <a href="#/pendentes">
          <Icon name="cloud" />
          {t('Para enviar', 'To be sent')}
        </a>
        <button type="button" onClick={() => setSheet('help')}>
          <Icon name="help" />
          {t('Pedir ajuda à central', 'Ask the central for help')}
        </button>
        {phone && (
          <>
            <a href={telLink(phone)}>
              <Icon name="phone" />
              {t('Ligar para a central', 'Call the central')} · {formatPhone(phone)}
            </a>
            <a href={whatsAppLink(phone)} target="_blank" rel="noreferrer">
              <Icon name="chat" />
              {t('WhatsApp da central', 'WhatsApp of the central')}
            </a>
          </>
        )}
        <button type="button" onClick={() => setSheet('navigator')}>
          <Icon name="map" />
          {t('Aplicativo de mapas', 'Map app')}
        </button>
        <button type="button" onClick={() => chooseLanguage(language === 'pt' ? 'en' : 'pt')}>
          <Icon name="chat" />
          <span lang={language === 'pt' ? 'en' : 'pt-BR'}>{language === 'pt' ? 'English' : 'Português'}</span>
        </button>
        <button type="button" onClick={() => setSheet('out')}>
          <Icon name="out" />
          {t('Sair deste aparelho', 'Sign out on this phone')}
        </button>
      </nav>
      <p className="soft">
        {session!.nome} · {session!.central.nome}
        <br />
        {phoneLabel(navigator.userAgent)}
        {battery !== null && ` · ${t('bateria', 'battery')} ${battery}%`}
        <br />
        {t('Versão', 'Version')} {APP_VERSION}
      </p>
      {sheet === 'help' && <HelpSheet onClose={() => setSheet(null)} />}
      {sheet === 'out' && <SignOutSheet onClose={() => setSheet(null)} />}
      {sheet === 'navigator' && (
        <NavigatorSheet onClose={() => setSheet(null)} onChosen={() => setSheet(null)} />
      )}
    </main>
  );
}

function HelpSheet({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const app = useApp();
  const { view } = useAppState('view');
  const [text, setText] = useState('');
  const run = view && currentRun(view);
  const presets = [
    t('Problema com o veículo', 'Trouble with the vehicle'),
    t('Acidente', 'Accident'),
    t('Pedido não está pronto', 'The goods are not ready'),
    t('Não encontro o endereço', 'I cannot find the address'),
  ];
  return (
    <Sheet
      title={t('Pedir ajuda', 'Ask for help')}
      onClose={onClose}
      foot={
        <button
          type="button"
          className="big"
          disabled={!text.trim()}
          onClick={() =>
            void app
              .act({ kind: 'help', about: run?.id_mch ?? null, text: text.trim() })
              .then((kept) => kept && onClose())
          }
        >
          {t('Enviar à central', 'Send to the central')}
        </button>
      }
    >
      <div className="choices column">
        {presets.map((preset) => (
          <button key={preset} type="button" aria-pressed={text === preset} onClick={() => setText(preset)}>
            {preset}
          </button>
        ))}
      </div>
      <label className="field">
        <span>{t('Ou escreva', 'Or write')}</span>
        <textarea rows={3} maxLength={300} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <p className="soft">
        {t(
          'Em emergência ligue 190 (polícia) ou 192 (SAMU).',
          'In an emergency call 190 (police) or 192 (ambulance).',
        )}
      </p>
    </Sheet>
  );
}

function SignOutSheet({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const app = useApp();
  const { entries, session } = useAppState('entries', 'session');
  const kept = session ? unconfirmed(entries, session.condutor_id).length : 0;
  return (
    <Sheet
      title={t('Sair deste aparelho?', 'Sign out on this phone?')}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="quiet" onClick={onClose}>
            {t('Ficar', 'Stay')}
          </button>
          <button type="button" className="big danger" onClick={() => void app.signOut()}>
            {t('Sair', 'Sign out')}
          </button>
        </>
      }
    >
      <p>
        {kept > 0
          ? t(
              kept === 1
                ? '1 ação ainda não chegou à central. Ela fica guardada e só será enviada quando você entrar de novo neste aparelho.'
                : `${kept} ações ainda não chegaram à central. Elas ficam guardadas e só serão enviadas quando você entrar de novo neste aparelho.`,
              kept === 1
                ? '1 action has not reached the central. It is kept, and sent only when you sign in again on this phone.'
                : `${kept} actions have not reached the central. They are kept, and sent only when you sign in again on this phone.`,
            )
          : t(
              'Para entrar de novo, peça um link à central ou use a sua senha.',
              'To sign in again, ask the central for a link or use your password.',
            )}
      </p>
    </Sheet>
  );
}
