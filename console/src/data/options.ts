import { useQuery } from '@tanstack/react-query';
import { OPERATION, read } from '../api.ts';
import { useLanguage } from '../words.ts';

export interface Options {
  categorias: { id: number; nome: string }[];
  empresas: { id: number; nome: string; categoria_padrao_id: number | null }[];
  motivos_cancelamento: { id: number; nome: string }[];
  codigo_confirmacao: boolean;
  /** west, south, east, north of the default area */
  limites: [number, number, number, number] | null;
}

/** What one may choose from; changes rarely. */
export const useOptions = () => {
  const language = useLanguage();
  return useQuery({
    queryKey: ['options', language],
    queryFn: () => read<Options>(`${OPERATION}/opcoes`),
    staleTime: 60_000,
  });
};

/** Where the central works, for a map that has nothing else to show. */
export const cornersOf = (limits: Options['limites'] | undefined): { lat: number; lng: number }[] =>
  limits
    ? [
        { lng: limits[0], lat: limits[1] },
        { lng: limits[2], lat: limits[3] },
      ]
    : [];
