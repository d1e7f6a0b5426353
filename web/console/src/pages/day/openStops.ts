/** The fields that decide whether a stop is still to be visited. */
export interface StopState {
  concluida: boolean;
  nao_entregue: boolean;
}

/** Whether the stop is still to be visited. */
export const isOpenStop = ({ concluida, nao_entregue }: StopState): boolean => !concluida && !nao_entregue;

/** The next stop to visit, or the last one if all are done. */
export const nextStop = <Stop extends StopState>({
  paradas,
}: {
  paradas: readonly Stop[];
}): Stop | undefined => paradas.find(isOpenStop) ?? paradas.at(-1);
