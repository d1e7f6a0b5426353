import type { Meaning } from './meaning.ts';

const USER = 'login or program; null: the api-key was known, the login was not';
const KEY = 'api-key; null: the request used none';
const PATH = 'path without the query; what is no number of up to nine digits is shown as …';

/** What the fields of recorded requests mean, as in `fieldMeanings.ts`. */
export const requestMeanings: Readonly<Record<string, Meaning>> = {
  requisicoes: ['requests, newest first', 'requisições, da mais nova para a mais antiga'],
  proximo: ['`cursor` of the next page; null on the last', '`cursor` da próxima página; nulo na última'],
  nao_registradas: [
    'refused ones of the kept days that a limit or a failure left out; null for those who see only part',
  ],
  cursor: ['`proximo` of the page before'],
  'listarRequisicoes:status': ['class of the status; `recusadas`: all of 400 or more'],
  'listarRequisicoes:caminho': ['a part of the path'],
  'listarRequisicoes:tipo': ['`X-Error-Kind` of the refusal'],
  'listarRequisicoes:de': ['from this moment on, with its offset from UTC'],
  'listarRequisicoes:ate': ['before this moment, with its offset from UTC'],
  'listarRequisicoes:limite': ['records per page; 50 when left out'],
  'listarRequisicoes:duracao_ms': ['time that the answer took', 'tempo que a resposta levou'],
  'obterRequisicao:duracao_ms': ['time that the answer took', 'tempo que a resposta levou'],
  'obterRequisicao:tipo': ['`X-Error-Kind` of the refusal'],
  'listarRequisicoes:requisicoes.status': ['HTTP status of the answer', 'status HTTP da resposta'],
  'listarRequisicoes:requisicoes.caminho': [PATH],
  'listarRequisicoes:empresa_id': ['company of the login or program; null: of the central'],
  'obterRequisicao:empresa_id': ['company of the login or program; null: of the central'],
  'listarRequisicoes:requisicoes.data_hora': ['when the request arrived, in UTC with milliseconds'],
  'obterRequisicao:data_hora': ['when the request arrived, in UTC with milliseconds'],
  'erros.code': ['code of the error', 'código do erro'],
  'erros.message': ['text, without what the request contained', 'texto, sem o que a requisição continha'],
  metodo: ['HTTP method', 'método HTTP'],
  'obterRequisicao:caminho': [PATH],
  'obterRequisicao:status': ['HTTP status of the answer', 'status HTTP da resposta'],
  request_id: ['the `X-Request-Id` of the answer'],
  credencial: [
    'api-key with login, session of a page, or token of a program',
    'api-key com usuário, sessão de uma página ou token de um programa',
  ],
  usuario_id: ['of a login or program'],
  'listarRequisicoes:requisicoes.usuario_id': [USER],
  'listarRequisicoes:requisicoes.chave_id': [KEY],
  'obterRequisicao:usuario_id': [USER],
  'obterRequisicao:chave_id': [KEY],
  usuario: ['name of the login or program', 'nome do usuário ou programa'],
  chave_id: ['of an api-key'],
  chave: ['description of the api-key'],
  consulta: ['query, masked: an object, or a text that says what it was; null: there was none'],
  corpo: ['body, masked: an object, or a text that says what it was; null: there was none'],
  erros: ['errors of the answer', 'erros da resposta'],
};
