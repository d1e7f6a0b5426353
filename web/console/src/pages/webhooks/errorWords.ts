interface Words {
  pt: string;
  en: string;
}

/** The errors that the server reports, each with the text for operators. */
const KNOWN: readonly (readonly [says: RegExp, words: Words])[] = [
  [/^no answer within/, { pt: 'não respondeu a tempo', en: 'no answer in time' }],
  [/^the answer broke off/, { pt: 'a resposta foi interrompida', en: 'the answer broke off' }],
  [
    /^the connection was closed|^socket hang up|ECONNRESET|EPIPE/,
    { pt: 'fechou a conexão sem responder', en: 'closed the connection without an answer' },
  ],
  [/ECONNREFUSED/, { pt: 'recusou a conexão', en: 'refused the connection' }],
  [
    /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL/,
    { pt: 'não foi possível chegar ao servidor', en: 'the server could not be reached' },
  ],
  [
    /^the host name could not be resolved|ENOTFOUND|EAI_AGAIN/,
    { pt: 'o nome do servidor não existe', en: 'the host name could not be found' },
  ],
  [
    /^the host name leads to a private address|^the address may not be called: private/,
    { pt: 'o endereço leva a uma rede privada', en: 'the address leads to a private network' },
  ],
  [
    /^the address may not be called/,
    { pt: 'o endereço não pode ser chamado', en: 'the address may not be called' },
  ],
  [/^Parse Error/, { pt: 'a resposta não é HTTP válido', en: 'the answer is no valid HTTP' }],
  [
    /certificate|altnames/i,
    { pt: 'o certificado do servidor não é válido', en: 'the server’s certificate is not valid' },
  ],
  [
    /^the secret of this webhook cannot be decrypted/,
    {
      pt: 'o segredo deste webhook não pode mais ser lido: crie um novo',
      en: 'the secret of this webhook cannot be read any more: create a new one',
    },
  ],
];

/** Why an attempt failed. An error that is not known here is shown unchanged. */
export const wordsOfError = (error: string): Words =>
  KNOWN.find(([says]) => says.test(error))?.[1] ?? { pt: error, en: error };
