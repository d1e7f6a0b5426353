import { useMutation, useQueryClient } from '@tanstack/react-query';
import { write } from '../api.ts';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field } from '../ui/Field.tsx';
import { useWords } from '../words.ts';

export function LoginPage() {
  const t = useWords();
  const queries = useQueryClient();
  const login = useMutation({
    mutationFn: (body: unknown) => write('POST', '/console/sessao', body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session'] }),
  });
  return (
    <main className="login">
      <h1>Malote</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate(Object.fromEntries(new FormData(event.currentTarget)));
        }}
      >
        <Field label={t('Central', 'Central')} name="central" required autoComplete="organization" />
        <Field label={t('Usuário', 'User')} name="usuario" required autoComplete="username" />
        <Field
          label={t('Senha', 'Password')}
          name="senha"
          type="password"
          required
          autoComplete="current-password"
        />
        <ErrorBox error={login.error} />
        <button type="submit" className="primary" disabled={login.isPending}>
          {login.isPending ? t('Entrando…', 'Logging in…') : t('Entrar', 'Log in')}
        </button>
      </form>
    </main>
  );
}
