import { type Setting, settings } from '../../server/src/settings.ts';
import { type Language, table } from './language.ts';
import { type SettingMeaning, settingGroups } from './settingMeanings.ts';

const words = {
  setting: { en: 'setting', pt: 'variável' },
  fallback: { en: 'default', pt: 'padrão' },
  meaning: { en: 'what it does', pt: 'o que faz' },
  to: { en: ' to ', pt: ' a ' },
  or: { en: 'or ', pt: 'ou ' },
  in: { en: ' in ', pt: ' em ' },
} satisfies Record<string, Readonly<Record<Language, string>>>;

/** The generated block of docs/settings.md: a heading and a table for each group. */
export function settingBlocks(language: Language): Record<string, string> {
  const described = settingGroups.flatMap((group) => Object.keys(group.settings));
  const missing = Object.keys(settings).filter((name) => !described.includes(name));
  if (missing.length > 0) throw new Error(`settingMeanings.ts lacks ${missing.join(', ')}`);
  const head = [words.setting, words.fallback, words.meaning].map((word) => word[language]);
  const groups = settingGroups.map(({ title, settings: meanings }) => {
    const rows = (Object.entries(meanings) as [Setting, SettingMeaning][]).map(([name, meaning]) => [
      `\`${name}\``,
      (meaning.fallback?.[language] ?? fallbackOf(name, language)) + othersOf(name, language),
      meaning[language],
    ]);
    return `## ${title[language]}\n\n${table(head, rows)}`;
  });
  return { settings: groups.join('\n\n') };
}

function fallbackOf(name: Setting, language: Language): string {
  const setting = settings[name];
  const fallback = 'fallback' in setting ? setting.fallback : undefined;
  if (fallback === undefined)
    throw new Error(`settingMeanings.ts does not say what ${name} is when it is not set`);
  const parent = 'parent' in setting ? setting.parent : undefined;
  return `\`${fallback}\`${parent ? `${words.in[language]}\`${parent}\`` : ''}`;
}

/** What the setting may be beside its default. */
function othersOf(name: Setting, language: Language): string {
  const setting = settings[name];
  if (setting.kind === 'integer') return ` (${setting.min}${words.to[language]}${setting.max})`;
  if (setting.kind !== 'choice') return '';
  const others = setting.choices.filter((value) => value !== setting.fallback);
  return ` (${words.or[language]}${others.map((value) => `\`${value}\``).join(', ')})`;
}
