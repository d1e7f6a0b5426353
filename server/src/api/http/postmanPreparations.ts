/**
 * What a request needs before it can be answered, in the demonstration: a delivery in progress, a second one to be
 * grouped with it. Postman sends these steps before the request, so that it works at any place of the collection and
 * any number of times.
 */
interface Step {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** JSON, with variables. */
  body?: string;
  /** The driver's login instead of the operator's. */
  asDriver?: true;
  headers?: Readonly<Record<string, string>>;
  /** Where the answer has the value of each variable. */
  keep?: Readonly<Record<string, string>>;
}

type Keep = Step['keep'];
const API = '/api/v2';
const read = (path: string, keep: Keep): Step => ({ method: 'GET', path: API + path, ...(keep && { keep }) });
const post = (path: string, body?: unknown, keep?: Keep): Step => ({
  method: 'POST',
  path: API + path,
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  ...(keep && { keep }),
});
const configure = (settings: object): Step => ({
  method: 'PUT',
  path: `${API}/operacao/configuracoes`,
  body: JSON.stringify(settings),
});

const stops = [
  ['Avenida Ipiranga, 1200', 'Azenha', '-30.0489', '-51.2158'],
  ['Rua da República, 100', 'Cidade Baixa', '-30.0390', '-51.2190'],
].map(([address, district, lat, lng]) => ({
  endereco_parada: address,
  bairro_parada: district,
  cidade_parada: 'Porto Alegre',
  estado_parada: 'RS',
  lat_parada: lat,
  lng_parada: lng,
  valor_cobrar: 42.9,
}));
const order = {
  empresa_id: 1,
  forma_pagamento: 'F',
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    lat: '-30.0305',
    lng: '-51.2303',
  },
  paradas: stops,
};

const dispatch = { data: '24/12/2027', hora: '18:30:00' };
const keyed = { ...order, id_externo: '{{id_externo}}' };

const delivery = (name = 'entrega_id'): Step[] => [
  post('/integracao/entregas', order, { [name]: 'data.id_mch' }),
  read(`/operacao/entregas/{{${name}}}`, {
    parada_id: 'data.paradas.0.id',
    outra_parada_id: 'data.paradas.1.id',
  }),
];
const scheduled = (name = 'programada_id'): Step[] => [
  post('/integracao/entregas/programadas', { ...order, ...dispatch }, { [name]: 'data.id_mch' }),
  read(`/integracao/entregas/programadas/{{${name}}}`, { parada_programada_id: 'data.paradas.0.id' }),
];
/** A driver that is not simulated, because a simulated one would move by itself. */
const driver = (name = 'condutor_id'): Step =>
  post(
    '/operacao/condutores',
    {
      nome: 'Rita Lopes',
      telefone: '(51) 99999-0077',
      veiculo: 'Honda CG 160',
      placa: 'IXG7H89',
      cor: 'azul',
      categorias: [1],
      empresas: [],
      ativo: true,
    },
    { [name]: 'data.id' },
  );
const byDriver = '{"condutor_id": {{condutor_id}}}';
const step = (name: string, verb: string, body: unknown = {}): Step =>
  post(`/operacao/entregas/{{${name}}}/${verb}`, body);
const hold = step('entrega_id', 'segurar', { motivo: 'O pedido ainda não está pronto' });
const atStop = (verb: string, body: unknown, stop = 'parada_id'): Step =>
  step('entrega_id', `paradas/{{${stop}}}/${verb}`, body);

const accepted = (name = 'entrega_id'): Step[] => [
  driver(),
  ...delivery(name),
  step(name, 'aceitar', byDriver),
];
const arrived = (name = 'entrega_id'): Step[] => [...accepted(name), step(name, 'chegar')];
const started = (name = 'entrega_id'): Step[] => [...arrived(name), step(name, 'iniciar')];
/** With the version that the edit of its stops names. */
const seen = (): Step[] => [
  ...accepted(),
  read('/operacao/entregas/{{entrega_id}}', { versao: 'data.versao' }),
];
/** With the code that the recipient has, null unless the central asks for codes. */
const atTheDoor = (): Step[] => [
  ...started(),
  read('/integracao/entregas/{{entrega_id}}/links-rastreio', {
    codigo_confirmacao: 'data.0.codigo_confirmacao',
    outro_codigo: 'data.1.codigo_confirmacao',
  }),
];
const conclude = (stop: string, code: string): Step =>
  atStop('concluir', `{"codigo_confirmacao": {{${code}}}}`, stop);
const concluded = (): Step[] => [
  ...atTheDoor(),
  conclude('parada_id', 'codigo_confirmacao'),
  conclude('outra_parada_id', 'outro_codigo'),
];
const failed = (): Step[] => [
  ...started(),
  atStop('falhar', { motivo: 'endereco_errado', observacao: 'Não é aqui' }),
];
const groupable = (): Step[] => [...started('outra_entrega_id'), ...started()];
const closing = (): Step[] => [
  ...concluded(),
  post('/operacao/empresas/1/fechamentos', '{"ate": "{{hoje}}"}', { fechamento_id: 'data.id' }),
];
const proposal = (): Step[] => [
  read('/operacao/entregas/1', { parada_id: 'data.paradas.0.id' }),
  {
    ...post('/operacao/entregas/1/paradas/{{parada_id}}/corrigir-posicao', { lat: -30.0306, lng: -51.2301 }),
    asDriver: true,
  },
  read('/operacao/enderecos/propostas', { proposta_id: 'data.0.id' }),
];
const phone = (): Step[] => [
  {
    method: 'POST',
    path: '/entregador/sessao',
    headers: { 'X-Malote-Entregador': '1' },
    body: '{"central": "Central Demonstração", "usuario": "condutor1", "senha": "{{senha}}", "aparelho": "Celular"}',
  },
  read('/operacao/condutores/1', { condutor_id: 'data.id' }),
  read('/operacao/condutores/1/aparelhos', { aparelho_id: 'data.0.id' }),
];
/** One that is still being computed. */
const plan = (): Step[] => [post('/operacao/planos', { segundos: 30 }, { plano_id: 'data.id' })];
const pix = configure({ pix_chave: '11.222.333/0001-81', pix_cidade: 'Porto Alegre' });

const PREPARATIONS: Readonly<Record<string, () => Step[]>> = {
  'PUT /integracao/entregas/{id}': delivery,
  'DELETE /integracao/entregas/{id}/paradas/{parada_id}': delivery,
  'POST /integracao/entregas/{id}/cancelar': delivery,
  'GET /integracao/entregas/externo/{id_externo}': () => [post('/integracao/entregas', keyed)],
  'GET /integracao/entregas/programadas/externo/{id_externo}': () => [
    post('/integracao/entregas/programadas', { ...keyed, ...dispatch }),
  ],
  'PUT /integracao/entregas/programadas/{id}': scheduled,
  'DELETE /integracao/entregas/programadas/{id}/paradas/{parada_id}': scheduled,
  'POST /integracao/entregas/programadas/{id}/cancelar': () => [
    configure({ permite_cancelar_programada_aguardando: true }),
    ...scheduled(),
  ],
  'POST /integracao/entregas/programadas/{id}/agrupar': () => [
    ...scheduled('outra_programada_id'),
    ...scheduled(),
  ],
  'POST /integracao/entregas/{id}/agrupar/programadas': () => [
    ...scheduled('outra_programada_id'),
    ...groupable(),
  ],
  'POST /integracao/entregas/{id}/agrupar': groupable,
  'POST /operacao/empresas/{id}/pix': () => [pix],
  'POST /operacao/empresas/{id}/pix/creditar': () => [
    pix,
    post(
      '/operacao/empresas/{{empresa_pix_id}}/pix',
      { valor: '150.00' },
      { pix_identificador: 'data.identificador' },
    ),
  ],
  'POST /operacao/entregas/{id}/conferir-endereco': delivery,
  'DELETE /operacao/enderecos/correcoes/{id}': () => [
    post('/operacao/enderecos/correcoes', {
      endereco: 'Rua dos Andradas, 1003',
      bairro: 'Centro Histórico',
      cidade: 'Porto Alegre',
      estado: 'RS',
      lat: -30.0306,
      lng: -51.2301,
    }),
    read('/operacao/enderecos/correcoes', { correcao_id: 'data.0.id' }),
  ],
  'POST /operacao/enderecos/propostas/{id}/aceitar': proposal,
  'DELETE /operacao/enderecos/propostas/{id}': proposal,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/corrigir-posicao': started,
  'POST /operacao/entregas/{id}/aceitar': () => [driver(), ...delivery()],
  'POST /operacao/entregas/{id}/recusar': () => [
    driver(),
    ...delivery(),
    step('entrega_id', 'atribuir', byDriver),
  ],
  'POST /operacao/entregas/{id}/chegar': accepted,
  'POST /operacao/entregas/{id}/iniciar': arrived,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/chegar': started,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/concluir': atTheDoor,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/falhar': started,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/retomar': failed,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/nova-entrega': failed,
  'POST /operacao/entregas/{id}/paradas/{parada_id}/resolver': failed,
  'POST /operacao/entregas/{id}/finalizar': concluded,
  'POST /operacao/entregas/{id}/desistir': accepted,
  'POST /operacao/entregas/{id}/segurar': delivery,
  'POST /operacao/entregas/{id}/liberar': () => [...delivery(), hold],
  'POST /operacao/entregas/{id}/retomar': () => [...delivery(), hold],
  'POST /operacao/entregas/{id}/atribuir': () => [driver(), ...delivery()],
  'POST /operacao/entregas/{id}/reatribuir': () => [...accepted(), driver()],
  'GET /operacao/entregas/{id}/reatribuir/previa': accepted,
  'PUT /operacao/entregas/{id}/paradas': seen,
  'POST /operacao/entregas/{id}/paradas/previa': seen,
  'POST /operacao/entregas/{id}/simular-agrupamento': () => [
    ...scheduled('outra_programada_id'),
    ...groupable(),
  ],
  'POST /operacao/programadas/{id}/simular-agrupamento': () => [
    ...scheduled('outra_programada_id'),
    ...scheduled(),
  ],
  'POST /operacao/programadas/{id}/cancelar': scheduled,
  'POST /operacao/condutores/{id}/ajuda': started,
  'POST /operacao/condutores/{id}/convites': () => [
    read('/operacao/condutores/1', { condutor_id: 'data.id' }),
  ],
  'DELETE /operacao/condutores/{id}/aparelhos/{aparelho_id}': phone,
  'POST /operacao/empresas/{id}/fechamentos': concluded,
  'POST /operacao/empresas/{id}/fechamentos/simular': concluded,
  'POST /operacao/condutores/{id}/fechamentos': concluded,
  'POST /operacao/condutores/{id}/fechamentos/simular': concluded,
  'POST /operacao/planos/{id}/aplicar': plan,
  'POST /operacao/planos/{id}/desfazer': plan,
  'GET /operacao/fechamentos/{id}': closing,
  'GET /operacao/fechamentos/{id}/arquivo': closing,
  'POST /operacao/fechamentos/{id}/pagar': closing,
};

/** Requests that Postman cannot prepare: how they are answered in the demonstration, and what they wait for. */
export const REFUSED_AT_FIRST: Readonly<Record<string, { status: number; why: string }>> = Object.fromEntries(
  [
    ...['foto', 'assinatura'].flatMap((image) => {
      const path = `/operacao/entregas/{id}/paradas/{parada_id}/comprovantes/${image}`;
      return [
        [`PUT ${path}`, 400, 'escolha antes uma imagem em Body'],
        [`GET ${path}`, 404, 'envie antes a imagem, na requisição anterior'],
      ] as const;
    }),
    ...['integracao', 'operacao'].map(
      (base) =>
        [
          `GET /${base}/requisicoes/{id}`,
          404,
          'ponha em requisicao_id o id de uma requisição da lista',
        ] as const,
    ),
    ...['pedir-de-novo', 'dispensar'].map(
      (verb) =>
        [
          `POST /operacao/entregas/{id}/${verb}`,
          406,
          'só para uma entrega cuja busca terminou sem entregador, depois de 20 minutos',
        ] as const,
    ),
    ...['POST', 'DELETE'].map(
      (method) =>
        [
          `${method} /operacao/condutores/{id}/aparelhos/push`,
          422,
          'só o celular em que o entregador entrou pode enviar',
        ] as const,
    ),
    ['POST /operacao/planos/{id}/aplicar', 409, 'espere que o plano fique pronto'] as const,
    ['POST /operacao/planos/{id}/desfazer', 409, 'só depois de aplicar o plano'] as const,
    ['POST /operacao/programadas/{id}/disparar', 406, 'só para uma programada cujo disparo falhou'] as const,
  ].map(([name, status, why]) => [name, { status, why }]),
);

export const requestName = (path: string, method: string): string => `${method} ${path.replace(API, '')}`;

/** The variables that only preparations fill. */
export const PREPARED_VARIABLES: Readonly<Record<string, string>> = {
  outra_parada_id: '0',
  id_externo: 'PED-1042',
  versao: '0',
  codigo_confirmacao: 'null',
  outro_codigo: 'null',
  pix_identificador: 'X',
  hoje: '2026-11-16',
};

/**
 * The script that Postman runs before the request. Each step is sent by the callback of the one before: Postman waits
 * for callbacks, but not reliably for promises.
 */
export function preparationOf(path: string, method: string): string[] | undefined {
  const steps = PREPARATIONS[requestName(path, method)]?.();
  if (!steps) return undefined;
  return [
    '// Cria o que esta requisição precisa, só na demonstração.',
    `const steps = ${JSON.stringify(steps, null, 2)};`,
    "pm.collectionVariables.set('hoje', new Date().toISOString().slice(0, 10));",
    'const fill = (text) => pm.variables.replaceIn(text);',
    'const next = () => {',
    '  const step = steps.shift();',
    '  if (!step) return;',
    "  const login = btoa(fill(step.asDriver ? 'condutor1:{{senha}}' : 'central:{{senha}}'));",
    '  pm.sendRequest(',
    '    {',
    "      url: fill('{{url}}' + step.path),",
    '      method: step.method,',
    '      header: {',
    "        'api-key': fill('{{api_key}}'),",
    "        Authorization: 'Basic ' + login,",
    '        ...step.headers,',
    "        ...(step.body && { 'Content-Type': 'application/json' }),",
    '      },',
    "      ...(step.body && { body: { mode: 'raw', raw: fill(step.body) } }),",
    '    },',
    '    (error, answer) => {',
    '      if (error || answer.code !== 200) return console.error(step.path, error || answer.text());',
    '      for (const [name, place] of Object.entries(step.keep || {}))',
    "        pm.collectionVariables.set(name, String(place.split('.').reduce((part, key) => part[key], answer.json())));",
    '      next();',
    '    },',
    '  );',
    '};',
    'next();',
  ];
}
