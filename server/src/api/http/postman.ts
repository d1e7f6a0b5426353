import type { OpenApiDocument, Operation } from './openapi.ts';
import { preparationOf, REFUSED_AT_FIRST, requestName } from './postmanPreparations.ts';
import { bodyOf, DEMO_ID, placeOf, postmanVariables, scriptOf, variableOf } from './postmanVariables.ts';

/** The demonstration's logins. A user with other logins changes them once, in the collection's variables. */
const LOGIN = { api_key: 'demo-chave', api_key_teste: 'teste_demo-chave', usuario: 'gerente', senha: 'demo' };
/** The login for the operator's interface, and for operations of the central alone. */
const OPERATOR = { usuario: 'central', senha: '{{senha}}' };
const CENTRAL_ONLY = ['recarregarCreditos', 'sacarCreditos', 'adiantarRelogio', 'apagarAmbienteDeTeste'];

/** A step is sent as taken now, and not when the example was written. */
const WHEN = 'ocorrido_em';

const ABOUT_VARIABLES =
  '**Variáveis.** `url`, `api_key`, `usuario` e `senha` são os da demonstração; `api_key_teste` é a do ambiente de teste. A pasta Operação, as recargas, os saques e o ambiente de teste usam o usuário `central`. Os ids também são variáveis: quem cria algo guarda o id para as requisições seguintes, e antes disso vale o que a demonstração tem. Em uma central de verdade valem 0 até que você informe os seus ou crie algo. Na demonstração, a requisição que precisa de algo em certa situação (uma entrega em andamento, duas para agrupar) cria isso antes, pelo script que a acompanha: por isso toda a coleção pode ser executada de cima a baixo. Em uma central de verdade não há esses scripts.';

interface Item {
  name: string;
  item?: Item[];
  [part: string]: unknown;
}

/**
 * A Postman collection (format 2.1) of every operation of the document, in its groups. Ids are variables: a request
 * that makes something keeps its id for the following ones.
 */
export function postmanCollection(
  document: OpenApiDocument,
  url: string,
  firstId: string,
): Item & { info: unknown } {
  const { title, description } = document.info as { title: string; description: string };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const folder = (tag: string): Item => ({
    name: tag,
    item: operations
      .filter(({ operation }) => operation.tags.includes(tag))
      .map((each) => ({ ...each, place: placeOf(each.path, each.method.toUpperCase()) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ path, method, operation }) => request(path, method.toUpperCase(), operation, firstId)),
  });
  const groups = document['x-tagGroups'] as { name: string; tags: string[] }[];
  return {
    name: title,
    info: {
      name: title,
      description: `${description}\n\n${ABOUT_VARIABLES}`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: basic('{{usuario}}', '{{senha}}'),
    variable: Object.entries({ url, ...LOGIN, ...postmanVariables(firstId) }).map(([key, value]) => ({
      key,
      value,
    })),
    item: groups.map(({ name, tags }) => ({
      name,
      item: tags.map(folder),
      ...(name === 'Operação' && { auth: basic(OPERATOR.usuario, OPERATOR.senha) }),
    })),
  };
}

/** What only a key of the sandbox may call. */
const isOfSandbox = (path: string): boolean => /\/integracao\/sandbox\b/.test(path);

const basic = (username: string, password: string) => ({
  type: 'basic',
  basic: Object.entries({ username, password }).map(([key, value]) => ({ key, value, type: 'string' })),
});

function request(path: string, method: string, operation: Operation, firstId: string): Item {
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json']?.example;
  const [fileType] = Object.keys(content).filter((type) => type !== 'application/json');
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const isKeyed = operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  const steps = path.replace(/\{(\w+)\}/g, ':$1');
  const refused = REFUSED_AT_FIRST[requestName(path, method)];
  const asked = query.map(({ name, required, example }) => ({
    key: name,
    value: example === undefined ? '' : String(example),
    // Optional parameters with an example are enabled, because the example answer depends on them.
    ...(!required && (example === undefined || name === WHEN) && { disabled: true }),
  }));
  const shown = asked
    .filter((parameter) => !('disabled' in parameter))
    .map(({ key, value }) => `${key}=${value}`);
  const sent = {
    method,
    ...(CENTRAL_ONLY.includes(String(operation.operationId)) && {
      auth: basic(OPERATOR.usuario, OPERATOR.senha),
    }),
    header: [
      { key: 'api-key', value: isOfSandbox(path) ? '{{api_key_teste}}' : '{{api_key}}' },
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ...(fileType === undefined ? [] : [{ key: 'Content-Type', value: fileType }]),
      // Postman replaces the variable with a new value for each request.
      ...(isKeyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
    ],
    url: {
      raw: `{{url}}${steps}${shown.length > 0 ? `?${shown.join('&')}` : ''}`,
      host: ['{{url}}'],
      path: steps.slice(1).split('/'),
      ...(asked.length > 0 && { query: asked }),
      ...(inPath.length > 0 && {
        variable: inPath.map(({ name }) => ({ key: name, value: `{{${variableOf(path, name)}}}` })),
      }),
    },
    // The user chooses the file.
    ...(fileType !== undefined && { body: { mode: 'file', file: {} } }),
    ...(body !== undefined && {
      body: { mode: 'raw', raw: bodyOf(body), options: { raw: { language: 'json' } } },
    }),
    description: [operation.description, refused && `**Aqui responde ${refused.status}:** ${refused.why}.`]
      .filter(Boolean)
      .join('\n\n'),
  };
  const after = scriptOf(path, method, firstId);
  const before = firstId === DEMO_ID ? preparationOf(path, method) : undefined;
  const event = [
    ...(before ? [script('prerequest', before)] : []),
    ...(after ? [script('test', after)] : []),
  ];
  return {
    name: operation.summary,
    ...(event.length > 0 && { event }),
    request: sent,
    response: [answer(operation)],
  };
}

const script = (listen: string, exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } });

function answer(operation: Operation) {
  const [type = '', content] = Object.entries(operation.responses['200']!.content!)[0] ?? [];
  return {
    name: 'Sucesso',
    status: 'OK',
    code: 200,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: type }],
    body: JSON.stringify(content?.example, null, 2),
  };
}
