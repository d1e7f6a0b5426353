import type { ReactNode } from 'react';
import { Money } from '../../ui/Money.tsx';

interface Candidate {
  id: string;
  who: ReactNode;
  about: string;
  price: string;
}

/** Any number of some, chosen one by one. */
export function Candidates({
  title,
  entries,
  chosen,
  onChoose,
}: {
  title: string;
  entries: readonly Candidate[];
  chosen: readonly string[];
  onChoose: (ids: string[]) => void;
}) {
  if (entries.length === 0) return null;
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="candidates">
      <legend>{title}</legend>
      <div className="choice">
        {entries.map(({ id, who, about, price }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>
              <strong>{id}</strong> {who}
              <span className="second soft cut">{about}</span>
            </span>
            <Money value={price} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
