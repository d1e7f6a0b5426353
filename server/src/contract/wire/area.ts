import Type from 'typebox';
import type { OperatingArea } from '../../areas/area.ts';

/** Contract 2.6. */
export const AreaSchema = Type.Object({ id: Type.Integer(), nome: Type.String(), padrao: Type.Boolean() });

export const formatArea = ({ id, name, isDefault }: OperatingArea) => ({ id, nome: name, padrao: isDefault });
