import { literal, php, python, typeScript } from './literals.ts';

/** A sample as readers of OpenAPI documents expect it under `x-codeSamples`. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The parts of an operation of the OpenAPI document that samples are made from. */
interface Operation {
  operationId: string;
  parameters: readonly { name: string; in: string; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

type Content = Readonly<Record<string, { example?: unknown }>>;

/** What a request of the sample has. */
interface Sent {
  method: string;
  /** With the ids and the query of the example. */
  path: string;
  ids: readonly unknown[];
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** The media type of a body that is a file. */
  fileType: string | undefined;
  headers: readonly [name: string, value: string][];
  isLive: boolean;
  /** The method of the typed client, for the operations that it has. */
  clientMethod: string | undefined;
}

/** Where the service is and who calls, from the environment: a sample can be run without a change. */
const ADDRESS = 'MALOTE_URL';
const API_KEY = 'MALOTE_API_KEY';
const USER = 'MALOTE_USER';
const PASSWORD = 'MALOTE_PASSWORD';

export function codeSamples(
  path: string,
  method: string,
  operation: Operation,
  hasClient: boolean,
): CodeSample[] {
  const sent = sentBy(path, method.toUpperCase(), operation, hasClient);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(sent) },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: sent.clientMethod ? clientSample(sent) : fetchSample(sent),
    },
    { lang: 'Python', label: 'Python', source: pythonSample(sent) },
    { lang: 'PHP', label: 'PHP', source: phpSample(sent) },
  ];
}

function sentBy(path: string, method: string, operation: Operation, hasClient: boolean): Sent {
  const examples = (place: string) =>
    operation.parameters.filter((each) => each.in === place && each.example !== undefined);
  const inPath = examples('path');
  const query = Object.fromEntries(examples('query').map(({ name, example }) => [name, example]));
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json']?.example;
  const [fileType] = Object.keys(content).filter((type) => type !== 'application/json');
  const isLive = operation.responses['200']?.content?.['text/event-stream'] !== undefined;
  const isKeyed = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const filled = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return {
    method,
    path: filled + (search.size > 0 ? `?${search}` : ''),
    ids: inPath.map(({ example }) => example),
    query,
    body,
    fileType,
    headers: [
      ...(body === undefined ? [] : ([['Content-Type', 'application/json']] as const)),
      ...(fileType === undefined ? [] : ([['Content-Type', fileType]] as const)),
      ...(isKeyed ? ([['Idempotency-Key', `exemplo-${operation.operationId}-1`]] as const) : []),
    ].map(([name, value]) => [name, value]),
    isLive,
    // A stream is followed by a method of its own.
    clientMethod: hasClient && !isLive ? operation.operationId : undefined,
  };
}

function curlSample({ method, path, body, fileType, headers, isLive }: Sent): string {
  const isDefault = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isLive ? '-N ' : ''}${isDefault ? '' : `-X ${method} `}"$${ADDRESS}${path}"`,
    `-u "$${USER}:$${PASSWORD}"`,
    `-H "api-key: $${API_KEY}"`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
    ...(fileType === undefined ? [] : ['--data-binary @arquivo']),
  ].join(' \\\n  ');
}

function clientSample({ ids, body, query, clientMethod }: Sent): string {
  const given = [
    ...ids.map((id) => literal(id, typeScript)),
    ...(body === undefined ? [] : [literal(body, typeScript)]),
    ...(Object.keys(query).length > 0 ? [literal(query, typeScript)] : []),
  ];
  return `import { Malote } from 'malote-client';

const malote = new Malote({
  url: process.env.${ADDRESS}!,
  apiKey: process.env.${API_KEY}!,
  user: process.env.${USER}!,
  password: process.env.${PASSWORD}!,
});

const resposta = await malote.${clientMethod}(${given.join(', ')});
console.log(resposta);
`;
}

function fetchSample({ method, path, body, fileType, headers, isLive }: Sent): string {
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    'api-key': process.env.${API_KEY}!,`,
    `    authorization: 'Basic ' + btoa(login),`,
    ...headers.map(([name, value]) => `    '${name.toLowerCase()}': '${value}',`),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, typeScript, '  ')}),`]),
    ...(fileType === undefined ? [] : ["  body: await readFile('arquivo'),"]),
  ];
  return `${fileType === undefined ? '' : "import { readFile } from 'node:fs/promises';\n\n"}const login = \`\${process.env.${USER}}:\${process.env.${PASSWORD}}\`;
const resposta = await fetch(\`\${process.env.${ADDRESS}}${path}\`, {
${lines.join('\n')}
});
${isLive ? 'for await (const parte of resposta.body!.pipeThrough(new TextDecoderStream())) console.log(parte);' : 'console.log(await resposta.json());'}
`;
}

function pythonSample({ method, path, body, fileType, headers, isLive }: Sent): string {
  const lines = [
    `    os.environ["${ADDRESS}"] + ${JSON.stringify(path)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    '    headers={',
    `        "api-key": os.environ["${API_KEY}"],`,
    '        "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),',
    ...headers.map(([name, value]) => `        "${name}": "${value}",`),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, python, '    ')}).encode(),`]),
    ...(fileType === undefined ? [] : ['    data=open("arquivo", "rb").read(),']),
  ];
  return `import base64, json, os, urllib.request

login = os.environ["${USER}"] + ":" + os.environ["${PASSWORD}"]
pedido = urllib.request.Request(
${lines.join('\n')}
)
with urllib.request.urlopen(pedido) as resposta:
${isLive ? '    for linha in resposta:\n        print(linha.decode(), end="")' : '    print(json.load(resposta))'}
`;
}

function phpSample({ method, path, body, fileType, headers, isLive }: Sent): string {
  const lines = [
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    `    CURLOPT_USERPWD => getenv('${USER}') . ':' . getenv('${PASSWORD}'),`,
    '    CURLOPT_HTTPHEADER => [',
    `        'api-key: ' . getenv('${API_KEY}'),`,
    ...headers.map(([name, value]) => `        '${name}: ${value}',`),
    '    ],',
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, php, '    ')}),`]),
    ...(fileType === undefined ? [] : ["    CURLOPT_POSTFIELDS => file_get_contents('arquivo'),"]),
    ...(isLive ? [] : ['    CURLOPT_RETURNTRANSFER => true,']),
  ];
  return `<?php
$pedido = curl_init(getenv('${ADDRESS}') . '${path}');
curl_setopt_array($pedido, [
${lines.join('\n')}
]);
${isLive ? 'curl_exec($pedido);' : 'print_r(json_decode(curl_exec($pedido), true));'}
`;
}
