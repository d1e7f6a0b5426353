import type { Help } from './help.ts';

/** The HTTP request itself. */
export const requestsHelp = {
  'invalid-input': {
    pt: {
      meaning: 'Algum dado da requisição não é válido.',
      when: 'Falta um campo obrigatório, um valor tem outro tipo ou passa de um limite, ou o JSON está malformado. Cada problema vem em uma entrada de errors, com code 2.',
      remedy: 'Leia o campo que cada mensagem nomeia entre aspas e corrija todos de uma vez.',
    },
    en: {
      meaning: 'Some data of the request is not valid.',
      when: 'A required field is missing, a value has another type or exceeds a limit, or the JSON is malformed. Each problem is an entry of errors, with code 2.',
      remedy: 'Read the field that each message names in quotes, and correct all of them at once.',
    },
  },
  'method-not-allowed': {
    pt: {
      meaning: 'Este endereço existe, mas não com este método.',
      when: 'A requisição usou, por exemplo, GET onde só há POST. O cabeçalho Allow traz os métodos.',
      remedy: 'Use um dos métodos do cabeçalho Allow.',
    },
    en: {
      meaning: 'This address exists, but not with this method.',
      when: 'The request used GET, for example, where there is only POST. The Allow header lists the methods.',
      remedy: 'Use one of the methods of the Allow header.',
    },
  },
  'host-not-served': {
    pt: {
      meaning: 'O serviço não responde por este nome de máquina.',
      when: 'O serviço escuta só a própria máquina, e a requisição veio com outro nome no cabeçalho Host.',
      remedy: 'Use localhost, ou configure o endereço público do serviço em MALOTE_PUBLIC_URL.',
    },
    en: {
      meaning: 'The service does not answer for this host name.',
      when: 'The service listens on its own machine only, and the request came with another name in the Host header.',
      remedy: 'Use localhost, or configure the public address of the service in MALOTE_PUBLIC_URL.',
    },
  },
  'items-refused': {
    pt: {
      meaning: 'Um ou mais itens de um lote foram recusados, e por isso todos.',
      when: 'O lote foi enviado com tudo_ou_nada. O primeiro erro diz quantos itens foram recusados; os outros nomeiam cada um pela sua posição, como entregas[3], com o seu code.',
      remedy: 'Corrija os itens nomeados e envie o lote de novo, ou envie-o sem tudo_ou_nada.',
    },
    en: {
      meaning: 'One or more items of a bulk request were refused, and therefore all of them.',
      when: 'The bulk was sent with tudo_ou_nada. The first error says how many items were refused; the others name each one by its position, such as entregas[3], with its code.',
      remedy: 'Correct the items that are named and send the bulk again, or send it without tudo_ou_nada.',
    },
  },
  'body-too-large': {
    pt: {
      meaning: 'O corpo da requisição é grande demais.',
      when: 'O corpo passa do limite da operação, de 64 KiB onde a referência não diz outro.',
      remedy: 'Envie menos de uma vez.',
    },
    en: {
      meaning: 'The body of the request is too large.',
      when: 'The body exceeds the limit of the operation, 64 KiB unless the reference says otherwise.',
      remedy: 'Send less at once.',
    },
  },
  'body-too-slow': {
    pt: {
      meaning: 'O corpo não chegou a tempo.',
      when: 'Nada chegou por 20 segundos, ou o corpo inteiro levou mais de um minuto.',
      remedy: 'Envie a requisição de novo, com uma conexão melhor.',
    },
    en: {
      meaning: 'The body did not arrive in time.',
      when: 'Nothing arrived for 20 seconds, or the whole body took more than a minute.',
      remedy: 'Send the request again, over a better connection.',
    },
  },
  'bodies-busy': {
    pt: {
      meaning: 'Corpos demais estão chegando ao mesmo tempo.',
      when: 'A memória para corpos deste usuário, desta central ou do serviço está ocupada.',
      remedy: 'Repita a requisição depois dos segundos de Retry-After.',
    },
    en: {
      meaning: 'Too many bodies are arriving at the same time.',
      when: 'The memory for bodies of this login, this central or the service is in use.',
      remedy: 'Repeat the request after the seconds of Retry-After.',
    },
  },
  'body-encoded': {
    pt: {
      meaning: 'O corpo veio comprimido, o que não é aceito.',
      when: 'O cabeçalho Content-Encoding nomeia uma compressão.',
      remedy: 'Envie o corpo sem compressão. As respostas podem vir comprimidas.',
    },
    en: {
      meaning: 'The body came compressed, which is not accepted.',
      when: 'The Content-Encoding header names a compression.',
      remedy: 'Send the body without compression. Answers may come compressed.',
    },
  },
  'rate-limited': {
    pt: {
      meaning: 'Requisições demais em 60 segundos.',
      when: 'A chave, o usuário ou a empresa passou do limite da operação, que a central pode ajustar.',
      remedy: 'Espere os segundos de Retry-After. Os cabeçalhos X-RateLimit mostram o que resta.',
    },
    en: {
      meaning: 'Too many requests within 60 seconds.',
      when: 'The key, the login or the company went over the limit of the operation, which the central can adjust.',
      remedy: 'Wait the seconds of Retry-After. The X-RateLimit headers show what is left.',
    },
  },
  'too-much-at-once': {
    pt: {
      meaning: 'Consultas e arquivos demais estão em andamento.',
      when: 'Este usuário, esta central ou o serviço já tem muitas listas, buscas, relatórios ou arquivos abertos.',
      remedy: 'Espere as que estão em andamento e repita depois dos segundos de Retry-After.',
    },
    en: {
      meaning: 'Too many queries and files are in progress.',
      when: 'This login, this central or the service has many lists, searches, reports or files open.',
      remedy: 'Wait for those in progress, and repeat after the seconds of Retry-After.',
    },
  },
  'too-many-listeners': {
    pt: {
      meaning: 'Há conexões ao vivo demais.',
      when: 'Este usuário, esta empresa, esta rede ou o serviço chegou ao máximo de conexões abertas.',
      remedy: 'Feche as que não são usadas e tente de novo.',
    },
    en: {
      meaning: 'There are too many live connections.',
      when: 'This login, this company, this network or the service has reached the maximum of open connections.',
      remedy: 'Close those that are not in use and try again.',
    },
  },
  'idempotency-key-reused': {
    pt: {
      meaning: 'A Idempotency-Key já foi usada com outra requisição.',
      when: 'A mesma chave veio com outro corpo, outro caminho ou outro método.',
      remedy: 'Use uma chave nova para cada operação, e a mesma só para repeti-la.',
    },
    en: {
      meaning: 'The Idempotency-Key was already used with another request.',
      when: 'The same key came with another body, path or method.',
      remedy: 'Use a new key for each operation, and the same one only to repeat it.',
    },
  },
  'own-attempt-running': {
    pt: {
      meaning: 'A primeira tentativa desta requisição ainda está em andamento.',
      when: 'A repetição chegou antes do fim da primeira e já esperou por ela alguns segundos.',
      remedy: 'Repita com a mesma Idempotency-Key depois dos segundos de Retry-After.',
    },
    en: {
      meaning: 'The first attempt at this request is still running.',
      when: 'The repetition came before the end of the first and has waited a few seconds for it.',
      remedy: 'Repeat with the same Idempotency-Key after the seconds of Retry-After.',
    },
  },
  'too-many-keys': {
    pt: {
      meaning: 'Há respostas demais guardadas para as chaves deste usuário.',
      when: 'As respostas guardadas por Idempotency-Key ocupam todo o espaço do usuário.',
      remedy: 'Envie sem a chave, ou espere os segundos de Retry-After: as mais antigas são apagadas.',
    },
    en: {
      meaning: 'Too many answers are stored for the keys of this login.',
      when: 'The answers stored by Idempotency-Key take up all the room of the login.',
      remedy: 'Send without the key, or wait the seconds of Retry-After: the oldest are removed.',
    },
  },
  unavailable: {
    pt: {
      meaning: 'O serviço não pode responder agora.',
      when: 'O banco de dados está fora do ar, o serviço está parando, ou a operação se chocou com outras vezes demais.',
      remedy: 'Repita depois dos segundos de Retry-After, com a mesma Idempotency-Key.',
    },
    en: {
      meaning: 'The service cannot answer now.',
      when: 'The database is away, the service is stopping, or the operation collided with others too often.',
      remedy: 'Repeat after the seconds of Retry-After, with the same Idempotency-Key.',
    },
  },
  'outcome-unknown': {
    pt: {
      meaning: 'Não se sabe se a operação foi gravada.',
      when: 'A conexão com o banco de dados caiu enquanto a operação era confirmada.',
      remedy: 'Repita com a mesma Idempotency-Key: ela é feita no máximo uma vez. Sem chave, confira antes.',
    },
    en: {
      meaning: 'It is not known whether the operation was stored.',
      when: 'The connection to the database was lost while the operation was being committed.',
      remedy: 'Repeat with the same Idempotency-Key: it is done at most once. Without a key, check first.',
    },
  },
  bug: {
    pt: {
      meaning: 'Houve um erro no próprio serviço.',
      when: 'O serviço encontrou um defeito, que foi registrado com o código da requisição.',
      remedy: 'Informe ao suporte o código da mensagem, que também está em X-Request-Id.',
    },
    en: {
      meaning: 'There was an error in the service itself.',
      when: 'The service met a defect, which was logged with the id of the request.',
      remedy: 'Give support the code in the message, which is also in X-Request-Id.',
    },
  },
} as const satisfies Record<string, Help>;
