import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { type Failure, fail } from './failure.ts';

/** Companies, drivers, areas and the other registers. */
export const registerFailures = {
  'company-not-found': fail(404, 'empresa não encontrada', 'company not found'),
  'driver-not-found': fail(404, 'entregador não encontrado', 'driver not found'),
  'category-not-found': fail(404, 'categoria não encontrada', 'category not found'),
  'reason-not-found': fail(404, 'motivo de cancelamento não encontrado', 'cancellation reason not found'),
  'area-not-found': fail(404, 'área de atuação não encontrada', 'operating area not found'),
  'record-not-found': fail(404, 'registro não encontrado', 'record not found'),
  'driver-inactive': fail(422, 'o entregador está inativo', 'the driver is inactive'),
  'company-address-not-found': fail(404, 'endereço da empresa não encontrado', 'company address not found'),
  'too-many-addresses': fail(
    400,
    'a empresa pode ter no máximo {max} endereços; exclua os que não são mais usados',
    'the company may have at most {max} addresses; delete those that are no longer used',
  ),
  'record-in-use': fail(
    409,
    'o registro está em uso e não pode ser excluído',
    'the record is in use and cannot be deleted',
  ),
  'record-duplicate': fail(
    409,
    'já existe um registro com este valor: {field}',
    'a record with this value exists: {field}',
  ),
  'too-many-records': fail(
    400,
    'a central pode ter no máximo {max} registros deste tipo; exclua os que não são mais usados',
    'the central may have at most {max} records of this kind; delete those that are no longer used',
  ),
  'invalid-shape': fail(
    422,
    "geometria inválida da área '{area}': {reason}",
    "invalid geometry of the area '{area}': {reason}",
  ),
  'areas-too-large': fail(
    422,
    'as áreas de atuação da central ficariam grandes demais: juntas, cabem cerca de 75.000 posições; simplifique os contornos',
    'the operating areas of the central would become too large: about 75,000 positions fit in total; simplify the outlines',
  ),
  'default-area-needed': fail(
    409,
    'a central precisa de uma área padrão; torne outra área a padrão primeiro',
    'the central needs a default area; make another area the default first',
  ),
} as const satisfies Partial<Record<RefusalKind, Failure>>;
