import type { Role } from '../data/access.ts';
import type { Authored } from '../data/author.ts';
import { useWords } from '../words.ts';

const roles: Record<Role, { pt: string; en: string }> = {
  operador: { pt: 'operador', en: 'operator' },
  integrador: { pt: 'integrador', en: 'integrator' },
  gerente: { pt: 'gerente', en: 'manager' },
  condutor: { pt: 'condutor', en: 'driver' },
};

/** Beside what was done, quietly; whose name the reader may not know is told by the role alone. */
export function AuthorName({ of: { autor } }: { of: Authored }) {
  const t = useWords();
  if (autor === undefined) return null;
  const role = autor && t(roles[autor.perfil].pt, roles[autor.perfil].en);
  return (
    <span className="soft">
      ·{' '}
      <span className="author">
        {role ? [role, autor?.nome].filter(Boolean).join(' ') : t('serviço', 'service')}
      </span>
    </span>
  );
}
