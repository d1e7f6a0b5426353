import type { FieldErrors } from '../../fieldErrors.ts';
import { Field } from '../../ui/Field.tsx';
import { useWords } from '../../words.ts';
import { type PlaceDraft, readPair } from './order.ts';

/** The fields that a pickup and a stop share. `name` gives the interface's name of a field. */
export function PlaceFields({
  place,
  onChange,
  errors,
  name,
}: {
  place: PlaceDraft;
  onChange: (changes: Partial<PlaceDraft>) => void;
  errors: FieldErrors;
  name: (field: keyof PlaceDraft) => string;
}) {
  const t = useWords();
  const field = (key: keyof PlaceDraft) => ({
    value: place[key],
    error: errors.of(name(key)),
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ [key]: currentTarget.value }),
    autoComplete: 'off',
  });
  const coordinate = (key: 'lat' | 'lng') => ({
    ...field(key),
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      onChange(readPair(value) ?? { [key]: value }),
    inputMode: 'decimal' as const,
  });
  return (
    <div className="place-fields">
      <Field className="span-6" label={t('Endereço', 'Address')} {...field('endereco')} />
      <Field className="span-3" label={t('Bairro', 'District')} {...field('bairro')} />
      <Field className="span-3" label={t('Complemento', 'Complement')} {...field('complemento')} />
      <Field className="span-3" label={t('Cidade', 'City')} {...field('cidade')} />
      <Field className="span-1" label={t('UF', 'State')} {...field('estado')} maxLength={2} />
      <Field className="span-4" label={t('Referência', 'Landmark')} {...field('referencia')} />
      <Field className="span-2" label="Latitude" {...coordinate('lat')} />
      <Field className="span-2" label="Longitude" {...coordinate('lng')} />
    </div>
  );
}
