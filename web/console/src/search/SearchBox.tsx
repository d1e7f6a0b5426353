import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../../../shared/words.ts';
import { useKeys, withKey } from '../keys.ts';
import { go, usePlace } from '../router.tsx';
import { useDebounced } from '../ui/useDebounced.ts';
import { useGroups, useSearch, WhatToType } from './results.tsx';
import './search.css';

const SUGGESTED = 5;
const PAUSE_MS = 150;

/** The search on every page: "/" focuses it, the arrows choose, Enter opens, Esc closes. */
export function SearchBox() {
  const t = useWords();
  const { path } = usePlace();
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const searched = useDebounced(text, PAUSE_MS).trim();
  const query = useSearch(searched, SUGGESTED);
  const isCurrent = searched === text.trim() && !query.isPending;
  // Results of an earlier text are not offered, because they could be opened by mistake.
  const groups = useGroups(isCurrent ? query.data : undefined);
  const lines = groups.flatMap((group) => group.lines);
  const isShown = isOpen && text.trim() !== '';

  useKeys({ '/': () => input.current?.focus() });
  // Another page was opened, so the search is over.
  useEffect(() => {
    if (path) setIsOpen(false);
  }, [path]);

  const close = () => {
    setIsOpen(false);
    setChosen(null);
  };
  const open = (to: string) => {
    close();
    setText('');
    input.current?.blur();
    go(to);
  };
  const move = (by: number) => {
    const at = lines.findIndex(({ key }) => key === chosen);
    const next = lines[at === -1 && by < 0 ? lines.length - 1 : at + by];
    setChosen(next?.key ?? null);
    if (next) document.getElementById(`${list}-${next.key}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (isShown) close();
      else input.current?.blur();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter') {
      if (text.trim() === '') return;
      const line = lines.find(({ key }) => key === chosen);
      open(line ? line.to : `/busca?${new URLSearchParams({ texto: text.trim() })}`);
    } else return;
    event.preventDefault();
  };

  return (
    <search className="search-box">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={t('Buscar em tudo', 'Search everything')}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen && isShown ? `${list}-${chosen}` : undefined}
        placeholder={withKey(t('Buscar: nome, telefone, pedido…', 'Search: name, phone, order…'), '/')}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(null);
          setIsOpen(true);
        }}
        onFocus={() => setIsOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div
        id={list}
        role="listbox"
        aria-label={t('Resultados', 'Results')}
        hidden={!isShown}
        className="search-list"
      >
        {isShown &&
          groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox has groups of options, not fieldsets.
            <div key={group.key} role="group" aria-labelledby={`${list}-${group.key}`}>
              <p id={`${list}-${group.key}`} className="search-heading">
                {group.title}
              </p>
              {group.lines.map((line) => (
                // The focus stays in the input, which names the chosen option.
                <div
                  key={line.key}
                  id={`${list}-${line.key}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={line.key === chosen}
                  className="search-line"
                  onMouseDown={(event) => {
                    event.preventDefault();
                    open(line.to);
                  }}
                >
                  <span className="search-title">{line.title}</span>
                  {line.badge}
                  <span className="search-detail">{line.detail}</span>
                </div>
              ))}
            </div>
          ))}
      </div>
      {isShown && lines.length === 0 && (
        <div className="search-list" role="status">
          {!isCurrent ? (
            <p>{t('Buscando…', 'Searching…')}</p>
          ) : query.error ? (
            <p>{t('A busca falhou. Tente novamente.', 'The search failed. Try again.')}</p>
          ) : (
            <>
              <p>
                <strong>{t('Nada encontrado.', 'Nothing found.')}</strong>
              </p>
              <WhatToType />
            </>
          )}
        </div>
      )}
    </search>
  );
}
