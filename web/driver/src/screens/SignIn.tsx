import type { FormEvent } from 'react';
import { useWords } from '../../../shared/words.ts';
import { unconfirmed } from '../core/outbox.ts';
import { useApp, useAppState } from '../useApp.ts';

const REMEMBERED = 'malote.entregador.entrada';

function remembered(): { central?: string; usuario?: string } {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as { central?: string; usuario?: string };
  } catch {
    return {};
  }
}

function remember(entered: { central: string; usuario: string }): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(entered));
  } catch {
    // Without storage, the fields are empty the next time.
  }
}

export function SignIn() {
  const t = useWords();
  const app = useApp();
  const { session, entries, signIn, invitation } = useAppState('session', 'entries', 'signIn', 'invitation');
  const isBusy = signIn === 'busy';
  const known = remembered();
  const kept = session ? unconfirmed(entries, session.condutor_id).length : 0;
  const unreached = t(
    'Sem conexão com a central. Verifique a internet e tente novamente.',
    'No connection to the central. Check your internet and try again.',
  );
  const problem =
    typeof signIn === 'string' ? [] : 'refusal' in signIn ? signIn.refusal.messages : [unreached];

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const field = (name: string) => String(fields.get(name) ?? '').trim();
    const [central, usuario] = [field('central'), field('usuario')];
    remember({ central, usuario });
    void app.signIn({ central, usuario, senha: String(fields.get('senha')) });
  };

  return (
    <main className="sign-in">
      <img src="/entregador/icon.svg" alt="" width="80" height="80" />
      <h1>Malote Entregador</h1>
      {kept > 0 && (
        <p role="status" className="note warn">
          {t(
            `Sua entrada terminou. ${kept} ${kept === 1 ? 'ação está guardada' : 'ações estão guardadas'} neste aparelho e ${kept === 1 ? 'será enviada' : 'serão enviadas'} quando você entrar de novo.`,
            `Your session has ended. ${kept} ${kept === 1 ? 'action is' : 'actions are'} kept on this phone and will be sent when you sign in again.`,
          )}
        </p>
      )}
      <p>
        {t(
          'Abra neste aparelho o link ou o código QR que a sua central mandou. Não precisa digitar nada.',
          'Open the link or QR code from your central on this phone. There is nothing to type.',
        )}
      </p>
      {problem.length > 0 && (
        <div role="alert" className="note danger">
          {problem.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {invitation && problem[0] === unreached && (
        <button type="button" className="big" onClick={() => void app.signIn({ codigo: invitation })}>
          {t('Tentar de novo', 'Try again')}
        </button>
      )}
      {invitation && session && problem.length > 0 && (
        <button type="button" className="quiet" onClick={app.stay}>
          {t(`Continuar como ${session.nome}`, `Go on as ${session.nome}`)}
        </button>
      )}
      <form onSubmit={submit}>
        <h2>{t('Ou entre com a sua senha', 'Or sign in with your password')}</h2>
        <label className="field">
          <span>{t('Central', 'Central')}</span>
          <input name="central" required defaultValue={known.central} autoComplete="organization" />
        </label>
        <label className="field">
          <span>{t('Usuário', 'User')}</span>
          <input
            name="usuario"
            required
            defaultValue={known.usuario}
            autoComplete="username"
            autoCapitalize="none"
          />
        </label>
        <label className="field">
          <span>{t('Senha', 'Password')}</span>
          <input name="senha" type="password" required autoComplete="current-password" />
        </label>
        <button type="submit" className="big" disabled={isBusy}>
          {isBusy ? t('Entrando…', 'Signing in…') : t('Entrar', 'Sign in')}
        </button>
      </form>
    </main>
  );
}
