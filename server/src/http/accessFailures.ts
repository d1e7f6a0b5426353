import type { RefusalKind } from '../kernel/refusal.ts';
import type { Failure } from './failures.ts';

const fail = (status: number, pt: string, en: string): Failure => ({ status, code: 0, pt, en });

/** What concerns a central's name, logins and keys. */
export const accessFailures = {
  'central-name-taken': fail(
    409,
    'já existe uma central com este nome; maiúsculas e acentos não diferenciam nomes',
    'another central has this name; capitals and accents do not tell names apart',
  ),
  'central-name-without-letter': fail(
    422,
    'o nome da central precisa de ao menos uma letra: só algarismos seria confundido com o número de uma central',
    'the name of a central needs at least one letter: digits alone would be taken for the number of a central',
  ),
  'own-login': fail(
    409,
    'não é possível excluir, desativar ou mudar o perfil do próprio usuário',
    'you cannot delete or disable your own login, or change its role',
  ),
  'last-operator': fail(
    409,
    'a central precisa manter ao menos um operador ativo',
    'the central must keep at least one active operator',
  ),
  'last-supervisor': fail(
    409,
    'enquanto os operadores só conduzem o dia, a central precisa de ao menos um supervisor ativo',
    'while operators run the day only, the central needs at least one active supervisor',
  ),
  'no-supervisor': fail(
    409,
    'cadastre antes um supervisor: sem um ativo, ninguém poderia mais mudar as configurações',
    'create a supervisor first: without an active one nobody could change the settings any more',
  ),
  'last-key': fail(
    409,
    'a central precisa manter ao menos uma chave de acesso ativa',
    'the central must keep at least one active api-key',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
