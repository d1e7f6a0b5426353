import { deliveryFields, scheduledFields } from '../../server/src/api/json/eventFields.ts';
import { eventTypes } from '../../server/src/api/json/eventTypes.ts';
import { type Language, table } from './language.ts';

const words = {
  type: { en: 'type', pt: 'tipo' },
  when: { en: 'when', pt: 'quando' },
  fields: { en: 'fields of its own', pt: 'campos próprios' },
} satisfies Record<string, Readonly<Record<Language, string>>>;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** What many types share; the contract lists it once. */
const shared = [deliveryFields, scheduledFields].map((fields) => Object.keys(fields));

/** Every type of event with the fields that it has beside the shared ones. */
export function eventTable(language: Language): string {
  const rows = Object.values(eventTypes).map(({ name, label, data }) => {
    const fields = Object.keys(data.properties);
    const hidden = shared.find((names) => names.every((each) => fields.includes(each))) ?? [];
    return [code([name]), label[language], code(fields.filter((field) => !hidden.includes(field)))];
  });
  return table(
    [words.type, words.when, words.fields].map((word) => word[language]),
    rows,
  );
}
