import type { Help } from './help.ts';

/** Identity, permission and logins. */
export const accessHelp = {
  'central-not-identified': {
    pt: {
      meaning: 'A requisição não diz de qual central é.',
      when: 'O cabeçalho api-key não foi enviado, ou veio vazio, e não há a sessão de uma página.',
      remedy: 'Envie a chave da central no cabeçalho api-key de toda requisição.',
    },
    en: {
      meaning: 'The request does not say which central it is for.',
      when: 'The api-key header was not sent or was empty, and there is no session of a page.',
      remedy: 'Send the key of the central in the api-key header of every request.',
    },
  },
  'api-key-unknown': {
    pt: {
      meaning: 'A chave enviada não pertence a nenhuma central ativa.',
      when: 'A chave tem um erro de digitação, foi revogada, ou a sua central não está ativa.',
      remedy: 'Confira a chave com a central. Repetir a requisição com a mesma chave não adianta.',
    },
    en: {
      meaning: 'The key that was sent belongs to no active central.',
      when: 'The key was mistyped or revoked, or its central is not active.',
      remedy: 'Check the key with the central. Repeating the request with the same key does not help.',
    },
  },
  'bad-credentials': {
    pt: {
      meaning: 'O usuário ou a senha não conferem, ou a sessão da página terminou.',
      when: 'O cabeçalho Authorization falta ou está malformado, o usuário não existe nesta central ou está inativo, ou a senha está errada. A resposta é a mesma em todos esses casos.',
      remedy: 'Envie Authorization: Basic com o usuário e a senha desta central. Numa página, entre de novo.',
    },
    en: {
      meaning: 'The user or the password is wrong, or the session of the page has ended.',
      when: 'The Authorization header is missing or malformed, the user does not exist in this central or is inactive, or the password is wrong. The answer is the same in all these cases.',
      remedy:
        'Send Authorization: Basic with the user and password of this central. On a page, sign in again.',
    },
  },
  'token-not-valid': {
    pt: {
      meaning: 'O token do programa não vale.',
      when: 'O token veio incompleto, é desconhecido, venceu, foi trocado ou foi revogado. A resposta é a mesma em todos esses casos.',
      remedy:
        'Confira se o token foi copiado inteiro. Se foi, peça outro à central; com OAuth 2.0, obtenha um novo token de acesso.',
    },
    en: {
      meaning: 'The token of the program is not valid.',
      when: 'The token is incomplete, unknown, expired, replaced or revoked. The answer is the same in all these cases.',
      remedy:
        'Check that the whole token was copied. If so, ask the central for another; with OAuth 2.0, get a new access token.',
    },
  },
  'scope-missing': {
    pt: {
      meaning: 'O programa não recebeu a permissão que esta operação exige.',
      when: 'A permissão citada não está entre as do programa, ou não foi pedida em scope ao obter o token de acesso.',
      remedy: 'Peça à central um programa que tenha essa permissão. As de um programa não mudam depois.',
    },
    en: {
      meaning: 'The program was not given the permission that this operation needs.',
      when: 'The named permission is not among those of the program, or was not in scope when the access token was made.',
      remedy:
        'Ask the central for a program that has this permission. Those of a program do not change later.',
    },
  },
  'only-in-sandbox': {
    pt: {
      meaning: 'A operação só existe no ambiente de teste.',
      when: 'O relógio ou a limpeza do ambiente de teste foi pedida com uma chave ou um token do ambiente real. Nada mudou.',
      remedy: 'Use uma chave ou um token que comece com teste_. A central os cria no console.',
    },
    en: {
      meaning: 'The operation exists in the sandbox only.',
      when: 'The clock or the wiping of the sandbox was asked for with a key or a token of the real side. Nothing changed.',
      remedy: 'Use a key or a token that begins with teste_. The central makes them at the console.',
    },
  },
  'not-in-sandbox': {
    pt: {
      meaning: 'O ambiente de teste não tem acessos próprios.',
      when: 'Usuários, chaves ou programas foram pedidos com uma chave ou um token de teste.',
      remedy: 'Use uma chave ou um token do ambiente real: os mesmos usuários valem nos dois.',
    },
    en: {
      meaning: 'The sandbox has no logins of its own.',
      when: 'Users, keys or programs were asked for with a key or a token of the sandbox.',
      remedy: 'Use a key or a token of the real side: the same users are valid on both.',
    },
  },
  'clock-too-far': {
    pt: {
      meaning: 'O relógio do ambiente de teste ficaria adiantado demais.',
      when: 'A soma de todos os adiantamentos desde a última limpeza passaria do limite.',
      remedy: 'Apague o ambiente de teste. Ele recomeça na hora certa, com os cadastros de agora.',
    },
    en: {
      meaning: 'The clock of the sandbox would be too far ahead.',
      when: 'The sum of all steps forward since the last wipe would exceed the limit.',
      remedy: 'Wipe the sandbox. It begins again at the present time, with the registers as they are now.',
    },
  },
  'scope-not-possible': {
    pt: {
      meaning: 'Um programa não pode ter todas as permissões pedidas.',
      when: 'O programa é de uma empresa, e uma das permissões é só de quem trabalha na central.',
      remedy: 'Tire essa permissão, ou crie o programa para a central inteira.',
    },
    en: {
      meaning: 'A program cannot have all of these permissions.',
      when: 'The program is for a company, and one of the permissions is only for the staff of the central.',
      remedy: 'Leave this permission out, or create the program for the whole central.',
    },
  },
  'program-revoked': {
    pt: {
      meaning: 'O programa foi revogado, e isso não se desfaz.',
      when: 'Alguém quis trocar o token de um programa que já estava revogado.',
      remedy: 'Crie outro programa.',
    },
    en: {
      meaning: 'The program was revoked, which cannot be undone.',
      when: 'Somebody wanted to replace the token of a program that was revoked before.',
      remedy: 'Create another program.',
    },
  },
  'too-many-attempts': {
    pt: {
      meaning: 'Houve tentativas de acesso sem sucesso demais, e a próxima precisa esperar.',
      when: 'Várias senhas ou códigos errados vieram em sequência deste usuário ou desta rede.',
      remedy: 'Espere os segundos de Retry-After e confira a senha antes de tentar de novo.',
    },
    en: {
      meaning: 'There were too many failed logins, and the next one has to wait.',
      when: 'Several wrong passwords or codes came one after another from this user or this network.',
      remedy: 'Wait the seconds of Retry-After, and check the password before trying again.',
    },
  },
  'logins-busy': {
    pt: {
      meaning: 'O serviço está conferindo senhas demais ao mesmo tempo.',
      when: 'Muitos acessos que ainda não são conhecidos chegaram juntos. Uma senha conferida há pouco não passa por essa fila.',
      remedy: 'Repita a requisição depois dos segundos de Retry-After.',
    },
    en: {
      meaning: 'The service is checking too many passwords at the same time.',
      when: 'Many logins that are not known yet arrived together. A password that was checked a moment ago does not wait in this queue.',
      remedy: 'Repeat the request after the seconds of Retry-After.',
    },
  },
  'not-allowed': {
    pt: {
      meaning: 'O usuário foi reconhecido, mas não tem permissão para esta operação.',
      when: 'O perfil do usuário não inclui a permissão da operação, ou ela depende de uma configuração da central que está desligada.',
      remedy:
        'Use um usuário com a permissão que a referência mostra na operação, ou peça à central que a conceda.',
    },
    en: {
      meaning: 'The user is known, but has no permission for this operation.',
      when: 'The role of the user does not include the permission of the operation, or it depends on a setting of the central that is off.',
      remedy:
        'Use a login with the permission that the reference shows for the operation, or ask the central to grant it.',
    },
  },
  'company-manager-only': {
    pt: {
      meaning: 'Só um gerente da empresa pode editar a entrega programada dela.',
      when: 'Um usuário da central tentou editar a programada de uma empresa, ou um gerente tentou editar a de uma pessoa.',
      remedy:
        'Envie a edição com o usuário de um gerente da empresa. Programadas de pessoas são editadas pela central.',
    },
    en: {
      meaning: 'Only a manager of the company may edit its scheduled delivery.',
      when: 'A login of the central tried to edit the scheduled delivery of a company, or a manager tried to edit that of a person.',
      remedy:
        'Send the edit with the login of a manager of the company. The central edits the scheduled deliveries of persons.',
    },
  },
  'invite-not-valid': {
    pt: {
      meaning: 'O convite do aplicativo do entregador não vale.',
      when: 'O código não existe, expirou, já foi usado uma vez, ou o usuário do entregador está inativo.',
      remedy: 'Peça à central um convite novo.',
    },
    en: {
      meaning: "The invitation to the driver's app is not valid.",
      when: 'The code does not exist, has expired, was used once already, or the login of the driver is inactive.',
      remedy: 'Ask the central for a new invitation.',
    },
  },
  'own-login': {
    pt: {
      meaning: 'Ninguém pode tirar o próprio acesso.',
      when: 'O usuário tentou excluir ou desativar a si mesmo, ou mudar o próprio perfil.',
      remedy: 'Peça a outro operador ou supervisor que faça a mudança.',
    },
    en: {
      meaning: 'Nobody can take away their own access.',
      when: 'The login tried to delete or disable itself, or to change its own role.',
      remedy: 'Ask another operator or supervisor to make the change.',
    },
  },
  'last-operator': {
    pt: {
      meaning: 'A central ficaria sem ninguém que possa cuidar dos usuários.',
      when: 'A mudança excluiria, desativaria ou trocaria o perfil do último operador ou supervisor ativo.',
      remedy: 'Cadastre ou reative outro operador antes.',
    },
    en: {
      meaning: 'The central would have nobody left who may manage users.',
      when: 'The change would delete, disable or change the role of the last active operator or supervisor.',
      remedy: 'Create or reactivate another operator first.',
    },
  },
  'last-supervisor': {
    pt: {
      meaning: 'A central ficaria sem supervisor ativo.',
      when: 'Os operadores desta central só conduzem o dia, e a mudança atinge o último supervisor ativo.',
      remedy: 'Cadastre ou reative outro supervisor antes.',
    },
    en: {
      meaning: 'The central would be left without an active supervisor.',
      when: 'The operators of this central only run the day, and the change concerns the last active supervisor.',
      remedy: 'Create or reactivate another supervisor first.',
    },
  },
  'no-supervisor': {
    pt: {
      meaning: 'Sem um supervisor ativo, ninguém poderia mais mudar as configurações.',
      when: 'A configuração que limita os operadores ao dia foi ligada em uma central sem supervisor ativo.',
      remedy: 'Cadastre um supervisor e ligue a configuração depois.',
    },
    en: {
      meaning: 'Without an active supervisor nobody could change the settings any more.',
      when: 'The setting that limits operators to running the day was turned on in a central without an active supervisor.',
      remedy: 'Create a supervisor, then turn the setting on.',
    },
  },
  'last-key': {
    pt: {
      meaning: 'A central ficaria sem chave de acesso.',
      when: 'A chave a revogar é a última ativa da central.',
      remedy: 'Crie outra chave, passe os programas para ela e então revogue esta.',
    },
    en: {
      meaning: 'The central would be left without an api-key.',
      when: 'The key to revoke is the last active one of the central.',
      remedy: 'Create another key, move the programs to it, then revoke this one.',
    },
  },
  'central-name-taken': {
    pt: {
      meaning: 'Outra central já tem este nome.',
      when: 'O nome enviado é igual ao de outra central, sem contar maiúsculas e acentos.',
      remedy: 'Escolha outro nome.',
    },
    en: {
      meaning: 'Another central already has this name.',
      when: 'The name equals that of another central, capitals and accents aside.',
      remedy: 'Choose another name.',
    },
  },
  'central-name-without-letter': {
    pt: {
      meaning: 'O nome da central precisa de uma letra.',
      when: 'O nome enviado não tem nenhuma letra e poderia ser tomado pelo número de uma central.',
      remedy: 'Envie um nome com ao menos uma letra.',
    },
    en: {
      meaning: 'The name of the central needs a letter.',
      when: 'The name has no letter and could be taken for the number of a central.',
      remedy: 'Send a name with at least one letter.',
    },
  },
} as const satisfies Record<string, Help>;
