import { equipmentWords } from '../../../shared/demandWords.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import type { Driver } from '../data/registers.ts';
import { DecimalField, WholeField } from './BrazilianFields.tsx';
import { SelectField } from './Field.tsx';

export interface CapacityDraft {
  peso_kg: string;
  volume_litros: string;
  pacotes: string;
  /** Codes joined by commas; NONE: none; empty: not known. */
  equipamentos: string;
}

type Capacity = NonNullable<Driver['capacidade']>;
type Equipment = NonNullable<Capacity['equipamentos']>;

/** The names of the fields in messages of the server. */
export const CAPACITY_FIELDS = ['peso_kg', 'volume_litros', 'pacotes', 'equipamentos'].map(
  (field) => `capacidade.${field}`,
);

const NONE = 'nenhum';
/** A thermal box serves as the others too. */
const SETS = [['bag_termica'], ['bau'], ['bag_termica', 'bau'], ['bau_termico']] as const;

const text = (value: number | null | undefined): string => (value == null ? '' : String(value));

export const capacityDraftOf = (capacity: Capacity | null | undefined): CapacityDraft => ({
  peso_kg: text(capacity?.peso_kg),
  volume_litros: text(capacity?.volume_litros),
  pacotes: text(capacity?.pacotes),
  equipamentos: capacity?.equipamentos ? capacity.equipamentos.toSorted().join() || NONE : '',
});

/** A number, or the text as it was typed, for the server to refuse. */
const number = (typed: string): number =>
  Number.isFinite(Number(typed)) ? Number(typed) : (typed as unknown as number);

/** An empty object: nothing is known. */
export const toCapacity = ({ equipamentos, ...amounts }: CapacityDraft): Partial<Capacity> => ({
  ...Object.fromEntries(
    Object.entries(amounts).flatMap(([name, typed]) => (typed.trim() ? [[name, number(typed.trim())]] : [])),
  ),
  ...(equipamentos !== '' && {
    equipamentos: (equipamentos === NONE ? [] : equipamentos.split(',')) as Equipment,
  }),
});

/** What a vehicle carries. Empty fields are not known, and exclude no order. */
export function CapacityFields({
  legend,
  hint,
  draft,
  errorOf,
  onChange,
}: {
  legend: string;
  hint: string;
  draft: CapacityDraft;
  errorOf: (field: string) => string | undefined;
  onChange: (draft: CapacityDraft) => void;
}) {
  const t = useWords();
  const language = useLanguage();
  const amount = (field: 'peso_kg' | 'volume_litros' | 'pacotes') => ({
    value: draft[field],
    error: errorOf(`capacidade.${field}`),
    onValue: (value: string) => onChange({ ...draft, [field]: value }),
  });
  return (
    <fieldset>
      <legend>{legend}</legend>
      <p className="hint">{hint}</p>
      <div className="columns">
        <DecimalField label={t('Até (kg)', 'Up to (kg)')} {...amount('peso_kg')} />
        <DecimalField label={t('Até (litros)', 'Up to (litres)')} {...amount('volume_litros')} />
        <WholeField label={t('Até (pacotes)', 'Up to (packages)')} {...amount('pacotes')} />
        <SelectField
          label={t('Equipamento', 'Equipment')}
          value={draft.equipamentos}
          error={errorOf('capacidade.equipamentos')}
          onChange={({ currentTarget }) => onChange({ ...draft, equipamentos: currentTarget.value })}
        >
          <option value="">{t('Não se sabe', 'Not known')}</option>
          <option value={NONE}>{t('Nenhum', 'None')}</option>
          {SETS.map((codes) => (
            <option key={codes.join()} value={codes.join()}>
              {equipmentWords(codes, language)}
            </option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  );
}
