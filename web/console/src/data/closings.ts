import { useQuery } from '@tanstack/react-query';
import { type Answer, call, type Entry } from '../api.ts';
import { saveFile } from '../ui/saveFile.ts';

export type ClosingKind = 'empresas' | 'condutores';
export type Closing = Entry<'operacao', 'GET /fechamentos'>;
export type Preview = Answer<'operacao', 'POST /empresas/{id}/fechamentos/simular'>;

export const CLOSINGS_LIMIT = 20;

export const useClosings = (kind: ClosingKind, page: number) =>
  useQuery({
    queryKey: ['closings', kind, page],
    queryFn: () =>
      call('operacao', 'GET /fechamentos', { query: { tipo: kind, pagina: page, limite: CLOSINGS_LIMIT } }),
  });

/** Both kinds have the same operations, at different paths. */
export const previewClosing = (kind: ClosingKind, id: string, ate: string): Promise<Preview> =>
  kind === 'empresas'
    ? call('operacao', 'POST /empresas/{id}/fechamentos/simular', { id, body: { ate } })
    : call('operacao', 'POST /condutores/{id}/fechamentos/simular', { id, body: { ate } });

export const closeAccount = (
  kind: ClosingKind,
  id: string,
  ate: string,
): Promise<Answer<'operacao', 'POST /empresas/{id}/fechamentos'>> =>
  kind === 'empresas'
    ? call('operacao', 'POST /empresas/{id}/fechamentos', { id, body: { ate } })
    : call('operacao', 'POST /condutores/{id}/fechamentos', { id, body: { ate } });

/** Saves the statement of a closing as a file. */
export async function downloadClosing(id: string, format: 'pdf' | 'csv'): Promise<void> {
  const file = await call('operacao', 'GET /fechamentos/{id}/arquivo', { id, query: { formato: format } });
  const bytes = Uint8Array.from(atob(file.conteudo), (character) => character.charCodeAt(0));
  saveFile(file.nome, new Blob([bytes], { type: file.tipo }));
}
