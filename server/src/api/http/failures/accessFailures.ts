import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Who may do what: logins, keys, devices, and what belongs to a login. */
export const accessFailures = {
  'bad-credentials': fail(401, 'usuário e/ou senha inválidos', 'invalid user and/or password'),
  'too-many-attempts': fail(
    429,
    'muitas tentativas de acesso sem sucesso; aguarde um pouco e tente novamente',
    'too many failed login attempts; wait a moment and try again',
  ),
  'logins-busy': fail(
    503,
    'há muitos acessos ao mesmo tempo; tente novamente em {seconds} s',
    'too many logins at the same time; try again in {seconds} s',
  ),
  'not-allowed': fail(
    403,
    'este usuário não tem permissão para esta operação',
    'this user does not have permission for this operation',
  ),
  'central-not-identified': fail(
    401,
    'central (bandeira) não identificada na requisição: envie o cabeçalho api-key',
    'central (bandeira) not identified in the request: send the api-key header',
  ),
  'api-key-unknown': fail(
    401,
    'api-key desconhecida: confira a chave enviada; ela pode ter sido revogada, ou a central não está ativa',
    'unknown api-key: check the key that was sent; it may have been revoked, or its central is not active',
  ),
  'token-not-valid': fail(
    401,
    'token inválido: ele pode estar incompleto, ter vencido ou ter sido revogado; confira-o ou peça outro à central',
    'invalid token: it may be incomplete, expired or revoked; check it or ask the central for another',
  ),
  'scope-missing': fail(
    403,
    'este programa não tem a permissão {scope}, necessária para esta operação',
    'this program does not have the permission {scope}, which this operation needs',
  ),
  'only-in-sandbox': fail(
    403,
    'isto só existe no ambiente de teste: use uma chave ou um token que comece com teste_',
    'this exists in the sandbox only: use a key or a token that begins with teste_',
  ),
  'not-in-sandbox': fail(
    403,
    'usuários, chaves e programas do ambiente de teste são os da central: use uma chave ou um token do ambiente real',
    'users, keys and programs of the sandbox are those of the central: use a key or a token of the real side',
  ),
  'clock-too-far': fail(
    422,
    'o relógio do ambiente de teste pode ficar no máximo {max} dias adiantado; apague o ambiente para voltar à hora certa',
    'the clock of the sandbox can be at most {max} days ahead; wipe the sandbox to return to the present time',
  ),
  'scope-not-possible': fail(
    422,
    'um programa não pode ter alguma destas permissões: usuários, chaves e configurações ficam com pessoas, e um programa de uma empresa tem no máximo as de um gerente',
    'a program cannot have one of these permissions: users, keys and settings are for people, and a program of a company has at most those of a manager',
  ),
  'program-revoked': fail(
    409,
    'este programa foi revogado; crie outro',
    'this program was revoked; create another',
  ),
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
  'invite-not-valid': fail(
    401,
    'este convite não existe, expirou ou já foi usado; peça outro à central',
    'this invitation does not exist, has expired or was already used; ask the central for another one',
  ),
  'device-not-found': fail(404, 'aparelho não encontrado', 'device not found'),
  'not-a-device': fail(
    422,
    'somente um aparelho em que o entregador entrou pode receber avisos',
    'only a device on which the driver is signed in can receive notifications',
  ),
  'driver-without-login': fail(
    422,
    'este entregador não tem usuário; crie um usuário com perfil de entregador e tente novamente',
    'this driver has no user; create a user with the driver’s role and try again',
  ),
  'view-name-taken': fail(
    409,
    'você já tem uma visão desta lista com este nome',
    'you already have a view of this list with this name',
  ),
  'too-many-views': fail(
    409,
    'você já salvou {max} visões; exclua uma que não use mais',
    'you have already saved {max} views; delete one that you no longer use',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
