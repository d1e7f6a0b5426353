import { PREPARED_VARIABLES } from './postmanPreparations.ts';

/** The variable of each path parameter, by the part of the path before it. */
const VARIABLES: Readonly<Record<string, string>> = {
  entregas: 'entrega_id',
  paradas: 'parada_id',
  programadas: 'programada_id',
  empresas: 'empresa_id',
  enderecos: 'endereco_id',
  webhooks: 'webhook_id',
  envios: 'envio_id',
  categorias: 'categoria_id',
  tarifas: 'tarifa_id',
  'areas-atuacao': 'area_id',
  condutores: 'condutor_id',
  aparelhos: 'aparelho_id',
  usuarios: 'usuario_id',
  chaves: 'chave_id',
  programas: 'programa_id',
  cupons: 'cupom_id',
  'motivos-cancelamento': 'motivo_id',
  fechamentos: 'fechamento_id',
  visoes: 'visao_id',
  correcoes: 'correcao_id',
  propostas: 'proposta_id',
  requisicoes: 'requisicao_id',
  planos: 'plano_id',
};
/** Which requests are recorded depends on the moment, so the user takes an id from their list. */
const REQUEST = 'requisicao_id';
const UNUSED_ID = '999999999';
const STOP_OF_SCHEDULED = 'parada_programada_id';
/** A company that is kept: one with entries cannot be deleted. */
const COMPANY_WITH_PIX = 'empresa_pix_id';
const FINISHED_DELIVERY = 'entrega_finalizada_id';
/** The variable of the record made before the last one, to be grouped with it. */
const OTHERS: Readonly<Record<string, string>> = {
  entrega_id: 'outra_entrega_id',
  programada_id: 'outra_programada_id',
};
/** The demonstration has a finished delivery, a scheduled one, and one of each register with this id. */
export const DEMO_ID = '1';
/** An id that no record has, so that a request sent by mistake in a real central changes nothing. */
export const NO_ID = '0';

export const postmanVariables = (firstId: string): Record<string, string> => ({
  ...PREPARED_VARIABLES,
  ...Object.fromEntries(
    [
      ...Object.values(VARIABLES),
      ...Object.values(OTHERS),
      STOP_OF_SCHEDULED,
      FINISHED_DELIVERY,
      COMPANY_WITH_PIX,
    ].map((name) => [name, name === REQUEST && firstId === DEMO_ID ? UNUSED_ID : firstId]),
  ),
});

/** The variable that holds what stands at `{name}` of a path. */
export function variableOf(path: string, name: string): string {
  if (name === 'id_externo') return name;
  const before = path.slice(0, path.indexOf(`/{${name}}`)).split('/');
  const noun = before.at(-1)!;
  if (noun === 'paradas' && before.includes('programadas')) return STOP_OF_SCHEDULED;
  if (path.includes('/pix')) return COMPANY_WITH_PIX;
  if (path.endsWith('/recibo')) return FINISHED_DELIVERY;
  return VARIABLES[noun]!;
}

/** What the bodies of examples name, and the variables in its place. */
const IN_BODIES: readonly [form: RegExp, text: string][] = [
  [/(?<="programadas_agrupadas": )\[[^\]]*\]/, `[{{${OTHERS.programada_id}}}]`],
  [/(?<="solicitacoes_agrupadas": )\[[^\]]*\]/, `[{{${OTHERS.entrega_id}}}]`],
  [/(?<="id_mch": )\d+/, '{{entrega_id}}'],
  [/(?<="condutor_id": )\d+/, '{{condutor_id}}'],
  [/(?<="versao": )\d+/, '{{versao}}'],
  [/(?<="paradas": \[\s*\{\s*"id": )\d+/, '{{parada_id}}'],
  [/(?<="codigo_confirmacao": )\d+/, '{{codigo_confirmacao}}'],
  [/(?<="identificador": ")[A-Z0-9]+(?=",\s*"valor")/, '{{pix_identificador}}'],
  // The last day of a closing, alone in its body.
  [/(?<=^\{\s*"ate": ")[\d-]+/, '{{hoje}}'],
  // A step taken now, and not when the example was written.
  [/,?\s*"ocorrido_em": "[^"]*"/, ''],
];

/** A body as text, with variables instead of the ids that its example names. */
export const bodyOf = (example: unknown): string =>
  IN_BODIES.reduce((text, [form, value]) => text.replace(form, value), JSON.stringify(example, null, 2));

/** The script that Postman runs after an answer: it stores the id of the record for the following requests. */
export function scriptOf(path: string, method: string, firstId: string): string[] | undefined {
  const kept = keptBy(path, method, firstId);
  if (!kept) return undefined;
  const [variable, value] = kept;
  const other = method === 'POST' && OTHERS[variable];
  return [
    'if (pm.response.code === 200) {',
    '  const { data } = pm.response.json();',
    ...(other
      ? [`  pm.collectionVariables.set('${other}', pm.collectionVariables.get('${variable}'));`]
      : []),
    `  pm.collectionVariables.set('${variable}', String(${value}));`,
    '}',
  ];
}

function keptBy(
  path: string,
  method: string,
  firstId: string,
): [variable: string, value: string] | undefined {
  const [noun, parameter] = path.split('/').slice(-2);
  const last = parameter!;
  // A test event of open connections is not kept as a message.
  if (method === 'POST' && last === 'teste')
    return noun === 'eventos' ? undefined : ['envio_id', 'data.envio_id'];
  // The addresses of a company are answered as a whole list.
  if (method === 'POST' && last === 'enderecos')
    return ['endereco_id', 'Math.max(...data.map(({ id }) => id))'];
  // The answer is the place that was found, without an id.
  if (last === 'correcoes') return undefined;
  if (makesSomething(path, method)) return [VARIABLES[last]!, 'data.id ?? data.id_mch'];
  if (method === 'DELETE' && last.startsWith('{')) return [variableOf(path, last.slice(1, -1)), firstId];
  if (method === 'GET' && path.includes('/integracao/')) {
    if (last === 'detalhes' || (noun === 'entregas' && last === '{id}'))
      return ['parada_id', 'data.paradas[0].id'];
    if (noun === 'programadas' && last === '{id}') return [STOP_OF_SCHEDULED, 'data.paradas[0].id'];
  }
  return undefined;
}

/** The order within a folder: creations first, deletions and cancellations last. */
export function placeOf(path: string, method: string): number {
  if (path.endsWith('/cancelar')) return 3;
  if (method === 'DELETE') return 2;
  return makesSomething(path, method) ? 0 : 1;
}

const makesSomething = (path: string, method: string): boolean =>
  method === 'POST' && VARIABLES[path.split('/').at(-1)!] !== undefined && !path.includes('/agrupar/');
