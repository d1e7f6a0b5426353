import { type QueryClient, useQuery } from '@tanstack/react-query';
import { call, type Entry } from '../api.ts';

/** A driver at work: available, carrying something, or seen not long ago. */
export type DriverAtWork = Entry<'operacao', 'GET /condutores/posicoes'>;

/** A position as the live stream sends it. */
export interface LivePosition {
  condutor_id: string;
  lat: number;
  lng: number;
  em: string;
}

const KEY = ['positions'];

export const usePositions = () =>
  useQuery({ queryKey: KEY, queryFn: () => call('operacao', 'GET /condutores/posicoes') });

/** Moves a driver who is known already; answers whether it is, since another has to be read first. */
export function movePosition(queries: QueryClient, { condutor_id, lat, lng, em }: LivePosition): boolean {
  const known = queries.getQueryData<DriverAtWork[]>(KEY);
  // Nobody shows positions at the moment.
  if (!known) return true;
  if (!known.some((driver) => driver.condutor_id === condutor_id)) return false;
  queries.setQueryData<DriverAtWork[]>(
    KEY,
    known.map((driver) =>
      driver.condutor_id === condutor_id ? { ...driver, posicao: { lat, lng, em } } : driver,
    ),
  );
  return true;
}
