import { useQueryClient } from '@tanstack/react-query';
import { toast } from '../../toasts.ts';

/** After a step: reads again all that shows deliveries, and says what was done when it can be seen. */
export function useRefreshDelivery(): (done: string) => Promise<void> {
  const queries = useQueryClient();
  return async (done) => {
    await Promise.all(
      ['delivery', 'deliveries', 'counts', 'positions'].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
    toast(done);
  };
}
