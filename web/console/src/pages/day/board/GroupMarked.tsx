import { useDeliveryDetail } from '../../../data/deliveries.ts';
import { GroupDialog } from '../../delivery/GroupDialog.tsx';

/** Groups deliveries into the first of them, once that one is read. */
export function GroupMarked({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const [first, ...others] = ids;
  const { data } = useDeliveryDetail(first!);
  return data ? <GroupDialog delivery={data} others={others} onClose={onClose} /> : null;
}
