import { useQueryClient } from '@tanstack/react-query';
import { useLanguage, useWords } from '../../../../../shared/words.ts';
import { call } from '../../../api.ts';
import { SHOWING_DELIVERIES } from '../../../data/deliveries.ts';
import { useFailure } from '../../../form.ts';
import { toast } from '../../../ui/Toasts.tsx';
import { type ItemResult, idsDone, resultLine } from './manyResults.ts';

/** What an action needs besides the deliveries. */
export type ManyInput =
  | { action: 'offer'; driverId: string }
  | { action: 'hold'; reason: string }
  | { action: 'release' }
  | { action: 'postpone'; minutes: number }
  | { action: 'cancel'; reasonId: string };

type Asked = ManyInput | { action: 'withdraw' };

/** One request for all. */
async function send(asked: Asked, ids: readonly string[]): Promise<readonly ItemResult[]> {
  const all = { ids: ids.map(Number) };
  if (asked.action === 'offer') {
    const body = { ...all, condutor_id: asked.driverId };
    return (await call('operacao', 'POST /entregas/atribuir', { body })).data;
  }
  if (asked.action === 'hold') {
    const body = { ...all, motivo: asked.reason };
    return (await call('operacao', 'POST /entregas/segurar', { body })).data;
  }
  if (asked.action === 'cancel') {
    const body = { ...all, motivo_id: Number(asked.reasonId) };
    return (await call('integracao', 'POST /entregas/cancelar', { body })).data;
  }
  if (asked.action === 'postpone') {
    const body = { ...all, minutos: asked.minutes };
    return (await call('operacao', 'POST /entregas/adiar', { body })).data;
  }
  if (asked.action === 'release')
    return (await call('operacao', 'POST /entregas/liberar', { body: all })).data;
  return (await call('operacao', 'POST /entregas/retirar-ofertas', { body: all })).data;
}

/**
 * Does an action to many and returns a function that says what became of it in one line, with a button that undoes what
 * can be undone. Those that could not be done are returned.
 */
export function useMany() {
  const t = useWords();
  const language = useLanguage();
  const queries = useQueryClient();
  const failed = useFailure();
  const refresh = () =>
    Promise.all(SHOWING_DELIVERIES.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  const undoOf = (asked: ManyInput): Asked | null => {
    if (asked.action === 'offer') return { action: 'withdraw' };
    if (asked.action === 'hold') return { action: 'release' };
    if (asked.action === 'release')
      return { action: 'hold', reason: t('Liberação desfeita', 'Release undone') };
    return asked.action === 'postpone' ? { ...asked, minutes: -asked.minutes } : null;
  };
  const say = (action: Asked['action'], items: readonly ItemResult[], undo?: () => void) => {
    const isNone = items.every(({ success }) => !success);
    toast(resultLine(action, items, language), isNone ? 'failed' : 'done', undo);
  };
  const undo = async (asked: Asked, ids: readonly string[]) => {
    try {
      const items = await send(asked, ids);
      await refresh();
      say(asked.action, items);
    } catch (error) {
      failed(error as Error, true);
    }
  };
  return {
    send: (asked: ManyInput, ids: readonly string[]) => send(asked, ids),
    async tell(asked: ManyInput, items: readonly ItemResult[]): Promise<void> {
      const done = idsDone(items);
      const back = undoOf(asked);
      await refresh();
      say(asked.action, items, back && done.length > 0 ? () => void undo(back, done) : undefined);
    },
  };
}
