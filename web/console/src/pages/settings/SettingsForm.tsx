import { counted, showDecimal } from '../../../../shared/formats.ts';
import { useWords } from '../../../../shared/words.ts';
import { call } from '../../api.ts';
import {
  type SettingSchema,
  type Settings,
  type SettingValue,
  useSettingSchemas,
  useSettings,
} from '../../data/registers.ts';
import { fieldErrors, useAction, useDraft } from '../../form.ts';
import { IfMay, useMay } from '../../session.tsx';
import { DecimalField, WholeField } from '../../ui/BrazilianFields.tsx';
import { CheckField, Field, SelectField, TextField } from '../../ui/Field.tsx';
import { ErrorBox, Loaded } from '../../ui/Loaded.tsx';
import { LinesField, writtenLines } from './LinesField.tsx';
import { choiceWords, settingGroups, unnamedSettings } from './settingGroups.ts';

/** All settings of a central. Only changed ones are sent. */
export function SettingsForm() {
  const settings = useSettings();
  const schemas = useSettingSchemas();
  return (
    <Loaded query={settings}>
      {(saved) => <Loaded query={schemas}>{(known) => <Form saved={saved} schemas={known} />}</Loaded>}
    </Loaded>
  );
}

/** An unsaved change, and the value it was based on. Unchanged settings follow what others save. */
interface Change {
  from: SettingValue;
  to: SettingValue | null;
}

const mapValues = <Value, Mapped>(
  record: Record<string, Value>,
  toMapped: (value: Value) => Mapped,
): Record<string, Mapped> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toMapped(value)]));

const isLines = (value: unknown): value is readonly string[] => Array.isArray(value);

const asSent = (value: SettingValue): SettingValue => (isLines(value) ? writtenLines(value) : value);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isLines(one) && JSON.stringify(one) === JSON.stringify(other));

function Form({ saved, schemas }: { saved: Settings; schemas: Record<string, SettingSchema> }) {
  const t = useWords();
  const mayChange = useMay('settings');
  const [changes, setChanges, forget] = useDraft<Record<string, Change>>('configuracoes', {});
  // A number that was cleared is NaN, which is null in the browser's storage.
  const form = { ...saved, ...mapValues(changes, ({ to }) => to ?? Number.NaN) };
  const changed = Object.fromEntries(
    Object.entries(mapValues(form, asSent)).filter(([name, value]) => !isSame(value, saved[name])),
  );
  const count = Object.keys(changed).length;
  const save = useAction(() => call('operacao', 'PUT /configuracoes', { body: changed }), {
    done: t('Configurações salvas.', 'Settings saved.'),
    refresh: ['settings', 'session'],
    onDone: forget,
  });
  const errors = fieldErrors(save.error, (field) => field.replace(/\[\d+\]$/, '') in saved);
  /** The first problem of a list's lines, with the line. */
  const lineError = (name: string): string | undefined => {
    const sent = changed[name];
    if (!isLines(sent)) return undefined;
    const wrong = sent.findIndex((_, line) => errors.of(`${name}[${line}]`) !== undefined);
    return wrong < 0 ? undefined : `${sent[wrong]}: ${errors.of(`${name}[${wrong}]`)}`;
  };
  const changedMeanwhile = (name: string): string | undefined => {
    const change = changes[name];
    if (!change || isSame(change.from, saved[name]) || isSame(change.to, saved[name])) return undefined;
    return t(
      'Outra pessoa mudou isto enquanto você editava.',
      'Somebody else changed this while you were editing.',
    );
  };
  const others = unnamedSettings(Object.keys(saved));
  const groups = others.length
    ? [...settingGroups, { pt: 'Outras', en: 'Others', settings: others }]
    : settingGroups;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className="setting-groups">
        {groups.map((group) => (
          <fieldset key={group.pt} disabled={!mayChange}>
            <legend>{t(group.pt, group.en)}</legend>
            {group.settings
              .filter(({ name }) => name in form)
              .map(({ name, pt, en }) => (
                <Setting
                  key={name}
                  label={t(pt, en)}
                  isCents={name.endsWith('_centavos')}
                  isLong={name === 'texto_ajuda'}
                  schema={schemas[name] ?? {}}
                  value={form[name]!}
                  error={errors.of(name) ?? lineError(name) ?? changedMeanwhile(name)}
                  onChange={(to) =>
                    setChanges((before) => ({
                      ...before,
                      [name]: { from: before[name]?.from ?? saved[name]!, to },
                    }))
                  }
                />
              ))}
          </fieldset>
        ))}
      </div>
      <ErrorBox error={errors.rest} />
      <IfMay permission="settings">
        <div className="actions save-bar">
          <button type="submit" className="primary" disabled={count === 0 || save.isPending}>
            {save.isPending ? t('Salvando…', 'Saving…') : t('Salvar configurações', 'Save settings')}
          </button>
          <button type="button" disabled={count === 0} onClick={forget}>
            {t('Desfazer', 'Undo')}
          </button>
          <span className="soft" role="status">
            {count > 0 && t(counted(count, 'alterada', 'alteradas'), `${count} changed`)}
          </span>
        </div>
      </IfMay>
    </form>
  );
}

interface SettingProps {
  label: string;
  /** The value is in cents, but typed and shown in reais. */
  isCents: boolean;
  /** A text of several lines. */
  isLong: boolean;
  schema: SettingSchema;
  value: SettingValue;
  error: string | undefined;
  onChange: (value: SettingValue) => void;
}

const isColor = (value: SettingValue): boolean => /^#[0-9a-f]{6}$/i.test(String(value));

function Setting({ label, isCents, isLong, schema, value, error, onChange }: SettingProps) {
  const t = useWords();
  const inWords = (choice: string): string => {
    const words = choiceWords[choice];
    return words ? t(words.pt, words.en) : choice;
  };
  const usual =
    schema.default === undefined ||
    schema.default === '' ||
    typeof schema.default === 'boolean' ||
    isColor(value)
      ? ''
      : `${t('padrão:', 'default:')} ${inWords(String(schema.default))}`;
  if (isLines(value)) return <LinesField label={label} lines={value} error={error} onChange={onChange} />;
  if (typeof value === 'boolean')
    return (
      <CheckField
        label={label}
        checked={value}
        error={error}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  if (schema.enum)
    return (
      <SelectField
        label={label}
        hint={usual}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      >
        {schema.enum.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </SelectField>
    );
  if (typeof value === 'number') {
    const shown = (figure: number): string =>
      Number.isNaN(figure) ? '' : isCents ? (figure / 100).toFixed(2) : String(figure);
    const inHint = (figure: unknown): string => showDecimal(shown(Number(figure)));
    const NumberField = isCents ? DecimalField : WholeField;
    return (
      <NumberField
        label={label}
        hint={[
          schema.minimum !== undefined &&
            `${inHint(schema.minimum)} ${t('a', 'to')} ${inHint(schema.maximum)}`,
          schema.default !== undefined && `${t('padrão:', 'default:')} ${inHint(schema.default)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
        value={shown(value)}
        error={error}
        onValue={(text) =>
          onChange(text === '' ? Number.NaN : Math.round(Number(text) * (isCents ? 100 : 1)))
        }
      />
    );
  }
  if (isLong)
    return (
      <TextField
        label={label}
        maxLength={schema.maxLength}
        hint={usual}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <Field
      label={label}
      type={isColor(value) ? 'color' : 'text'}
      maxLength={schema.maxLength}
      hint={usual}
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
