import { useWords } from '../../words.ts';
import { ApiKeys } from './ApiKeys.tsx';
import { Users } from './Users.tsx';

export function AccessPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Usuários e chaves', 'Users and keys')}</h1>
      <Users />
      <ApiKeys />
    </>
  );
}
