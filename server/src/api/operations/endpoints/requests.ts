import { requestEndpoints as endpointsWith } from '../../json/requestEndpoints.ts';
import { checkPeriod, periodFields, periodOf } from '../lists/listEndpoints.ts';

export const requestEndpoints = endpointsWith('Operação: requisições', 'operations', {
  fields: periodFields,
  check: checkPeriod,
  read: periodOf,
});
