import type { Check } from '../check.ts';
import { expectRefusal, type Json } from '../http.ts';
import { UNKNOWN_ID } from '../operations.ts';
import type { World } from '../world.ts';

/** The bodies of an operation: which fields it requires, and values that are invalid. */
interface BodyRules {
  section: string;
  method: 'POST' | 'PUT';
  path(world: World): string | Promise<string>;
  name: string;
  valid(world: World): Json;
  required: readonly string[];
  invalid: readonly (readonly [field: string, value: unknown])[];
}

const pickupAndStops = {
  required: [
    'forma_pagamento',
    'partida',
    'paradas',
    'partida.endereco',
    'partida.bairro',
    'paradas[0].endereco_parada',
    'paradas[0].bairro_parada',
  ],
  invalid: [
    ['forma_pagamento', 'Z'],
    ['forma_pagamento', 'V'],
    ['forma_pagamento', 7],
    ['partida', 'Rua'],
    ['partida.lat', 'north'],
    ['partida.lat', '91'],
    ['partida.lng', '181'],
    ['paradas', []],
    ['paradas', 'Rua'],
    ['paradas', Array.from({ length: 11 }, () => ({}))],
    ['paradas[0].lat_parada', 'north'],
    ['paradas[0].endereco_parada', 7],
  ],
} as const;

const groupOf = (field: string) =>
  ({
    required: [field],
    invalid: [
      [field, []],
      [field, 'abc'],
      [field, ['abc']],
      [field, [0]],
      [field, [1.5]],
    ],
  }) as const;

const when = {
  required: ['data', 'hora'],
  invalid: [
    ['data', '2026-12-31'],
    ['data', '32/01/2030'],
    ['data', 7],
    ['hora', '25:00:00'],
    ['hora', '8h'],
  ],
} as const;

const rules: readonly BodyRules[] = [
  {
    section: '4.1',
    method: 'POST',
    name: '/entregas/empresas/{id}/estimativas',
    path: (world) => `/entregas/empresas/${world.companyId()}/estimativas`,
    valid: (world) => world.estimateBody(),
    required: [
      'endereco_partida',
      'bairro_partida',
      'cidade_partida',
      'estado_partida',
      'endereco_desejado',
      'bairro_desejado',
      'cidade_desejado',
      'estado_desejado',
    ],
    invalid: [
      ['lat_partida', 'north'],
      ['lat_partida', 91],
      ['lng_desejado', -181],
      ['com_retorno', 'perhaps'],
      ['categoria_id', 'abc'],
      ['latlng_paradas', 'a,b|c,d'],
      ['endereco_partida', 7],
    ],
  },
  {
    section: '4.2',
    method: 'POST',
    name: '/entregas/programadas/{id}/agrupar',
    path: () => `/entregas/programadas/${UNKNOWN_ID}/agrupar`,
    valid: () => ({ programadas_agrupadas: [1] }),
    ...groupOf('programadas_agrupadas'),
  },
  {
    section: '4.3',
    method: 'PUT',
    name: '/entregas/programadas/{id}',
    path: () => `/entregas/programadas/${UNKNOWN_ID}`,
    valid: (world) => world.editBody(),
    required: [...when.required, ...pickupAndStops.required],
    invalid: [...when.invalid, ...pickupAndStops.invalid],
  },
  {
    section: '4.4',
    method: 'POST',
    name: '/entregas/consultar',
    path: () => '/entregas/consultar',
    valid: () => ({}),
    required: [],
    invalid: [
      ['limite', 0],
      ['limite', -1],
      ['limite', 101],
      ['limite', 1.5],
      ['limite', 'abc'],
      ['pagina', 0],
      ['pagina', -1],
      ['pagina', 'abc'],
      ['condutor_id', 'abc'],
      ['status_solicitacao', 'S'],
      ['status_solicitacao', 'Z'],
      ['tipo_pagamento', 'Z'],
    ],
  },
  {
    section: '4.5',
    method: 'POST',
    name: '/entregas/empresas/creditos/recargas',
    path: () => '/entregas/empresas/creditos/recargas',
    valid: () => ({ valor: 1, empresa: { tipo_identificacao: 'I', identificacao: 'conformance-unknown' } }),
    required: ['valor', 'empresa', 'empresa.tipo_identificacao', 'empresa.identificacao'],
    invalid: [
      ['valor', 0],
      ['valor', -1],
      ['valor', 1.001],
      ['valor', 1_000_000.01],
      ['valor', 'abc'],
      ['empresa', 'abc'],
      ['empresa.tipo_identificacao', 'Z'],
    ],
  },
  {
    section: '4.6',
    method: 'POST',
    name: '/entregas/{id}/agrupar/programadas',
    path: () => `/entregas/${UNKNOWN_ID}/agrupar/programadas`,
    valid: () => ({ programadas_agrupadas: [1] }),
    ...groupOf('programadas_agrupadas'),
  },
  {
    section: '4.7',
    method: 'POST',
    name: '/entregas/{id}/agrupar',
    path: () => `/entregas/${UNKNOWN_ID}/agrupar`,
    valid: () => ({ solicitacoes_agrupadas: [1] }),
    ...groupOf('solicitacoes_agrupadas'),
  },
  {
    section: '4.8',
    method: 'POST',
    name: '/entregas/{id}/cancelar',
    path: () => `/entregas/${UNKNOWN_ID}/cancelar`,
    valid: () => ({ motivo_id: 6 }),
    required: ['motivo_id'],
    invalid: [
      ['motivo_id', 'abc'],
      ['motivo_id', 0],
      ['motivo_id', 1.5],
    ],
  },
  {
    section: '4.3',
    method: 'POST',
    name: '/entregas (the rules of creation)',
    path: () => '/entregas',
    valid: (world) => world.orderBody(),
    ...pickupAndStops,
  },
  {
    section: '4.3',
    method: 'POST',
    name: '/entregas/programadas (the rules of creation)',
    path: () => '/entregas/programadas',
    valid: (world) => ({ ...world.orderBody(), data: '01/01/2099', hora: '12:00:00' }),
    ...when,
  },
];

const TITLE_VALUE_MAX = 20;
const shortened = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > TITLE_VALUE_MAX && Array.isArray(value) ? `${value.length} items` : text;
};

const refusedInput = (field: string) => ({ status: 400, code: 2, field });

export const bodyChecks: readonly Check[] = rules.flatMap(
  ({ section, method, name, path, valid, required, invalid }) => {
    const send = async (world: World, body: Json) => world.send({ method, path: await path(world), body });
    return [
      ...required.map(
        (field): Check => ({
          section,
          title: `${method} ${name} without ${field} is refused with 400, code 2, naming it`,
          async run(world) {
            expectRefusal(await send(world, changed(valid(world), field, undefined)), refusedInput(field));
          },
        }),
      ),
      ...invalid.map(
        ([field, value]): Check => ({
          section,
          title: `${method} ${name} with ${field} = ${shortened(value)} is refused with 400, code 2, naming it`,
          async run(world) {
            expectRefusal(await send(world, changed(valid(world), field, value)), refusedInput(field));
          },
        }),
      ),
    ];
  },
);

/** A copy with another value at a path such as `paradas[0].lat_parada`; undefined removes the field. */
function changed(body: Json, path: string, value: unknown): Json {
  const copy = structuredClone(body);
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.');
  const last = steps.pop()!;
  let place = copy;
  for (const step of steps) place = place[step];
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}
