import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../../shared/words.ts';
import { request } from '../api.ts';
import { Field } from '../ui/Field.tsx';
import { ErrorBox } from '../ui/Loaded.tsx';
import { DemoPeople } from './DemoPeople.tsx';

const REMEMBERED = 'malote.entrada';

/** The central and user of the last login on this machine, without the password. */
function remembered(): { central?: string; usuario?: string } {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as { central?: string; usuario?: string };
  } catch {
    return {};
  }
}

/** `hasEnded`: a session has just ended; drafts are kept. */
export function LoginPage({ hasEnded = false }: { hasEnded?: boolean }) {
  const t = useWords();
  const queries = useQueryClient();
  const { central, usuario } = remembered();
  const login = useMutation({
    mutationKey: ['session'],
    mutationFn: (body: Record<string, FormDataEntryValue>) => request('POST', '/console/sessao', body),
    onSuccess: (_session, { central, usuario }) => {
      localStorage.setItem(REMEMBERED, JSON.stringify({ central, usuario }));
      return queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const isBusy = login.isPending;
  return (
    <main className="login">
      <h1>Malote</h1>
      {hasEnded && (
        <p role="status" className="banner">
          {t(
            'Sua sessão terminou. Entre novamente: o que você digitou foi guardado.',
            'Your session has ended. Log in again: what you typed was kept.',
          )}
        </p>
      )}
      <DemoPeople isBusy={isBusy} onChoose={login.mutate} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate(Object.fromEntries(new FormData(event.currentTarget)));
        }}
      >
        <Field
          label={t('Central', 'Central')}
          hint={t('O nome ou o número dela.', 'Its name or its number.')}
          name="central"
          defaultValue={central}
          required
          autoComplete="organization"
        />
        <Field
          label={t('Usuário', 'User')}
          name="usuario"
          defaultValue={usuario}
          required
          autoComplete="username"
        />
        <Field
          label={t('Senha', 'Password')}
          name="senha"
          type="password"
          required
          autoComplete="current-password"
        />
        <ErrorBox error={login.error} />
        <button type="submit" className="primary" disabled={isBusy}>
          {isBusy ? t('Entrando…', 'Logging in…') : t('Entrar', 'Log in')}
        </button>
      </form>
    </main>
  );
}
