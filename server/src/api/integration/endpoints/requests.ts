import Type from 'typebox';
import type { Endpoint } from '../../http/endpoint.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import { requestEndpoints as endpointsWith, type PeriodReader } from '../../json/requestEndpoints.ts';

const instants: PeriodReader = {
  fields: {
    de: Type.Optional(formatted('instant', 'desde este instante, ISO 8601 com fuso')),
    ate: Type.Optional(formatted('instant', 'antes deste instante, ISO 8601 com fuso')),
  },
  check: ({ de: from, ate: until }) => {
    const [begin, end] = [from, until].map((each) => (typeof each === 'string' ? parseInstant(each) : null));
    if (!begin || !end || Temporal.Instant.compare(begin, end) < 0) return [];
    return [{ field: 'ate', pt: "deve ser depois de 'de'", en: "must be after 'de'" }];
  },
  read: ({ de, ate }) => ({
    from: de === undefined ? null : parseInstant(de),
    until: ate === undefined ? null : parseInstant(ate),
  }),
};

export const [listRequestsEndpoint, getRequestEndpoint] = endpointsWith(
  'Requisições',
  'deliveries',
  instants,
  {
    list: 'listarRequisicoes',
    read: 'obterRequisicao',
  },
) as [Endpoint, Endpoint];
