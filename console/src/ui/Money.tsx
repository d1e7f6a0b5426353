import { formatMoney } from '../formats.ts';

/** `value` as the interfaces send it: "12.34" or 12.34. */
export function Money({ value }: { value: string | number | null | undefined }) {
  if (value === null || value === undefined || value === '') return <span className="soft">—</span>;
  return <span className="number">{formatMoney(value)}</span>;
}
