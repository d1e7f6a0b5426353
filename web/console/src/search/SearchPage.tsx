import { useWords } from '../../../shared/words.ts';
import { Link, usePlace } from '../router.tsx';
import { Empty, Loaded } from '../ui/Loaded.tsx';
import { type SearchAnswer, useGroups, useSearch, WhatToType } from './results.tsx';
import './search.css';

const SHOWN = 50;

/** All results for a text. The text is in the address, so that the page can be shared as a link. */
export function SearchPage() {
  const t = useWords();
  const text = usePlace().query.get('texto')?.trim() ?? '';
  const query = useSearch(text, SHOWN);
  return (
    <>
      <h1>{text === '' ? t('Busca', 'Search') : t(`Busca: ${text}`, `Search: ${text}`)}</h1>
      {text === '' ? (
        <WhatToType />
      ) : (
        <Loaded query={query}>{(answer) => <Results answer={answer} />}</Loaded>
      )}
    </>
  );
}

function Results({ answer }: { answer: SearchAnswer }) {
  const t = useWords();
  const groups = useGroups(answer);
  if (groups.length === 0)
    return (
      <Empty title={t('Nada encontrado.', 'Nothing found.')}>
        <WhatToType />
      </Empty>
    );
  return groups.map((group) => (
    <section key={group.key} className="search-results">
      <h2>{group.title}</h2>
      <ul>
        {group.lines.map((line) => (
          <li key={line.key}>
            <Link to={line.to} className="search-line">
              <span className="search-title">{line.title}</span>
              {line.badge}
              <span className="search-detail">{line.detail}</span>
            </Link>
          </li>
        ))}
      </ul>
      {group.hasMore && (
        <p className="soft">
          {t(
            `Só os ${SHOWN} mais recentes. Digite mais para encontrar os outros.`,
            `The ${SHOWN} newest only. Type more to find the others.`,
          )}
        </p>
      )}
    </section>
  ));
}
