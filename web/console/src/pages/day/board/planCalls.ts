import { useQueryClient } from '@tanstack/react-query';
import { useLanguage } from '../../../../../shared/words.ts';
import { type Answer, call } from '../../../api.ts';
import { SHOWING_DELIVERIES } from '../../../data/deliveries.ts';
import { useFailure } from '../../../form.ts';
import { toast } from '../../../ui/Toasts.tsx';
import { type ItemResult, resultLine } from './manyResults.ts';

type Applied = Answer<'operacao', 'POST /planos/{id}/aplicar'>;

const doneItem = (id: string): ItemResult => ({ id: Number(id), success: true });
/** What a plan could not do, in the server's words. */
interface NotDone {
  entrega: string;
  texto: string;
}
const refusedItem = ({ entrega, texto }: NotDone): ItemResult => ({
  id: Number(entrega),
  success: false,
  errors: [{ message: texto }],
});

/** Says in one line what became of an applied plan, with a button that undoes what no driver has begun. */
export function useTellPlan(): (applied: Applied, leftOut: readonly NotDone[]) => Promise<void> {
  const language = useLanguage();
  const queries = useQueryClient();
  const failed = useFailure();
  const refresh = () =>
    Promise.all(SHOWING_DELIVERIES.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  const undo = async (id: string) => {
    try {
      const { desfeitas, mantidas } = await call('operacao', 'POST /planos/{id}/desfazer', { id });
      await refresh();
      const items = [...desfeitas.map(doneItem), ...mantidas.map(refusedItem)];
      toast(resultLine('undo', items, language), desfeitas.length === 0 ? 'failed' : 'done');
    } catch (error) {
      failed(error as Error, true);
    }
  };
  return async ({ id, aplicadas, recusadas }, leftOut) => {
    await refresh();
    const items = [
      ...aplicadas.map(({ entrega }) => doneItem(entrega)),
      ...[...recusadas, ...leftOut].map(refusedItem),
    ];
    const isNone = aplicadas.length === 0;
    const line = resultLine('distribute', items, language);
    toast(line, isNone ? 'failed' : 'done', isNone ? undefined : () => void undo(id));
  };
}
