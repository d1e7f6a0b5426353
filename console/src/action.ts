import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from './toasts.ts';

interface ActionOptions<Given, Result> {
  /** What was done, in a few words. */
  done?: string | ((result: Result, given: Given) => string | undefined);
  /** First parts of the keys of what is shown and may have changed. */
  refresh?: readonly string[];
  onDone?: (result: Result, given: Given) => void;
  /** Told in passing, where there is no form beside which to show what the server refused. */
  tellsFailure?: boolean;
}

/** Something done by a person: shows that it is under way, reads again what changed, and says that it is done. */
export function useAction<Given = void, Result = unknown>(
  work: (given: Given) => Promise<Result>,
  { done, refresh = [], onDone, tellsFailure = false }: ActionOptions<Given, Result> = {},
): UseMutationResult<Result, Error, Given> {
  const queries = useQueryClient();
  return useMutation<Result, Error, Given>({
    mutationFn: work,
    onSuccess: async (result, given) => {
      onDone?.(result, given);
      // Said once it can be seen.
      await Promise.all(refresh.map((key) => queries.invalidateQueries({ queryKey: [key] })));
      const text = typeof done === 'function' ? done(result, given) : done;
      if (text) toast(text);
    },
    onError: (error) => {
      if (tellsFailure) toast(error.message, 'failed');
    },
  });
}
