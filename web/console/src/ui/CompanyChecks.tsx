import { useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { useCompanies } from '../data/registers.ts';
import { CheckField, Field } from './Field.tsx';

/** A longer list gets a search field. */
const SEARCHED_FROM = 12;

/** Chooses any number of companies; none stands for all. */
export function CompanyChecks({
  legend,
  hint,
  chosen,
  onChange,
  error,
}: {
  legend: string;
  hint: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error: string | undefined;
}) {
  const t = useWords();
  const { data: companies = [] } = useCompanies();
  const [wanted, setWanted] = useState('');
  const isFound = ({ nome }: { nome: string }) => nome.toLowerCase().includes(wanted.trim().toLowerCase());
  return (
    <fieldset>
      <legend>{legend}</legend>
      <p className="soft">{hint}</p>
      {companies.length > SEARCHED_FROM && (
        <Field
          label={t('Procurar', 'Search')}
          type="search"
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      <div style={{ maxHeight: 160, overflowY: 'auto' }}>
        {companies.filter(isFound).map(({ id, nome }) => (
          <CheckField
            key={id}
            label={nome}
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}
