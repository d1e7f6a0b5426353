import type { Meaning } from './meaning.ts';

/** The fields of lists by cursor. */
export const walkMeanings: Readonly<Record<string, Meaning>> = {
  cursor: [
    '`inicio` for the first page, then the `proximo_cursor` of the answer before, with the same filters',
    '`inicio` na primeira página; depois, o `proximo_cursor` da resposta anterior, com os mesmos filtros',
  ],
  'consultarEntregas:empresa_id': ['of the company with this id'],
  'listarProgramadas:empresa_id': ['of the company with this id'],
  'consultarEntregas:numero_pedido': ['with a stop that has this order number'],
  'listarProgramadas:numero_pedido': ['with a stop that has this order number'],
  solicitada_de: ['ordered at this moment or later', 'pedidas neste instante ou depois'],
  solicitada_ate: ['ordered up to this second, included', 'pedidas até este segundo, inclusive'],
  finalizada_de: ['finished at this moment or later', 'finalizadas neste instante ou depois'],
  finalizada_ate: ['finished up to this second, included', 'finalizadas até este segundo, inclusive'],
  disparo_de: [
    'whose dispatch is planned for this moment or later',
    'com disparo previsto neste instante ou depois',
  ],
  disparo_ate: [
    'whose dispatch is planned up to this second, included',
    'com disparo previsto até este segundo, inclusive',
  ],
  alteradas_desde: [
    'changed at this moment or later, in the order of the changes',
    'alteradas neste instante ou depois, na ordem das alterações',
  ],
  proximo_cursor: [
    'with a cursor only: that of the next page; null: there are no more. With `alteradas_desde` never null',
    'só com cursor: o da página seguinte; nulo: não há mais. Com `alteradas_desde` nunca é nulo',
  ],
  ha_mais: [
    'with `alteradas_desde` only: there are more already; false: ask again later',
    'só com `alteradas_desde`: já há mais; falso: pergunte de novo mais tarde',
  ],
};
