import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../../toasts.ts';

/** After a step: says what was done and reads again all that shows deliveries. */
export function useRefreshDelivery(): (done: string) => Promise<void> {
  const queries = useQueryClient();
  return async (done) => {
    toast(done);
    await Promise.all(
      ['delivery', 'deliveries', 'counts', 'positions'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
  };
}
