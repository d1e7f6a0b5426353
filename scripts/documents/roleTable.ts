import { roleCode } from '../../server/src/api/json/codes.ts';
import { grantOf, type Permission, permissions, roles } from '../../server/src/centrals/permissions.ts';
import { type Language, table } from './language.ts';

const words = {
  role: { en: 'role (`perfil`)', pt: '`perfil`' },
  always: { en: 'permissions', pt: 'permissões' },
  setting: { en: 'by a setting', pt: 'conforme a configuração' },
  all: { en: 'all', pt: 'todas' },
} satisfies Record<string, Readonly<Record<Language, string>>>;

const code = (names: readonly Permission[]): string => names.map((name) => `\`${name}\``).join(' ');

/** What each role may do. */
export function roleTable(language: Language): string {
  const rows = roles.map((role) => {
    const granted = (how: ReturnType<typeof grantOf>) =>
      permissions.filter((permission) => grantOf(role, permission) === how);
    const always = granted('always');
    const name = language === 'en' ? `${role} (\`${roleCode[role]}\`)` : `\`${roleCode[role]}\``;
    const list = always.length === permissions.length ? words.all[language] : code(always);
    return [name, list, code(granted('by setting'))];
  });
  return table([words.role[language], words.always[language], words.setting[language]], rows);
}
