import { paymentLabel } from '../../../shared/statuses.ts';
import type { ListFilter } from './list.ts';

interface Named {
  id: string;
  nome: string;
}

const chosenById = (
  of: readonly Named[],
  field: string,
): Pick<ListFilter, 'kind' | 'options' | 'accepts' | 'toBody'> => ({
  kind: 'choice',
  accepts: (value) => /^[1-9]\d{0,14}$/.test(value),
  options: of.map(({ id, nome }) => ({ value: id, pt: nome, en: nome })),
  toBody: (value) => ({ [field]: value }),
});

export const companyFilter = (companies: readonly Named[]): ListFilter => ({
  name: 'empresa',
  pt: 'Empresa',
  en: 'Company',
  isFeminine: true,
  ...chosenById(companies, 'empresa_id'),
});

export const driverFilter = (drivers: readonly Named[]): ListFilter => ({
  name: 'condutor',
  pt: 'Entregador',
  en: 'Driver',
  ...chosenById(drivers, 'condutor_id'),
});

/** Lists name the form of payment differently. */
export const paymentFilter = (field: 'tipo_pagamento' | 'forma_pagamento'): ListFilter => ({
  name: 'pagamento',
  kind: 'choice',
  pt: 'Pagamento',
  en: 'Payment',
  options: Object.entries(paymentLabel).map(([value, words]) => ({ value, ...words })),
  toBody: (value) => ({ [field]: value }),
});
