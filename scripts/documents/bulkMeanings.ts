import type { Meaning } from './meaning.ts';

const BULK_OPERATIONS = [
  'criarEntregasEmLote',
  'criarProgramadasEmLote',
  'obterStatusEmLote',
  'cancelarEntregasEmLote',
  'cancelarProgramadasEmLote',
];

/** The fields of requests for many deliveries at once. */
export const bulkMeanings: Readonly<Record<string, Meaning>> = {
  entregas: ['the orders', 'os pedidos'],
  tudo_ou_nada: ['with true one refused item refuses all, and nothing is stored; false when left out'],
  ids: ['ids of the deliveries', 'ids das entregas'],
  recusados: ['how many items were refused'],
  ...Object.fromEntries(
    BULK_OPERATIONS.flatMap((operation): [string, Meaning][] => [
      [
        `${operation}:data`,
        [
          'what became of each item, in the order of the request',
          'o resultado de cada item, na ordem da requisição',
        ],
      ],
      [
        `${operation}:data.data`,
        ['of an item that was carried out: its result', 'de um item executado: o seu resultado'],
      ],
      [`${operation}:data.status`, ['of a refused item: the HTTP status of a request with it alone']],
    ]),
  ),
  'criarProgramadasEmLote:entregas.data': [
    'date of the dispatch, in the time zone of the central',
    'data do disparo, no fuso da central',
  ],
  indice: ['position of the item in the request, from 0'],
  'data.success': ['whether the item was carried out', 'se o item foi executado'],
  'data.id_mch': ['id', 'id'],
  kind: ['of a refused item: the kind of the refusal, as in `X-Error-Kind`'],
  errors: ['of a refused item: its errors', 'de um item recusado: os seus erros'],
  'errors.code': ['as in 7.1', 'como em 7.1'],
  'errors.message': ['as in 7.1', 'como em 7.1'],
};
