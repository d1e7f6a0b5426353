import { useWords } from '../words.ts';
import { Dialog } from './Dialog.tsx';

/** All that the keyboard can do without going through the page. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const keys: [keys: readonly string[], what: string][] = [
    [['j', '↓'], t('próxima da lista', 'next in the list')],
    [['k', '↑'], t('anterior da lista', 'previous in the list')],
    [['Enter'], t('abrir a selecionada', 'open the selected one')],
    [['/'], t('filtrar a lista', 'filter the list')],
    [['n'], t('nova entrega', 'new delivery')],
    [['Esc'], t('fechar, ou limpar a seleção', 'close, or clear the selection')],
    [['?'], t('esta ajuda', 'this help')],
  ];
  return (
    <Dialog title={t('Atalhos do teclado', 'Keyboard shortcuts')} onClose={onClose}>
      <dl className="help">
        {keys.map(([names, what]) => (
          <KeyRow key={what} names={names} what={what} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ names, what }: { names: readonly string[]; what: string }) {
  return (
    <>
      <dt>
        {names.map((name) => (
          <kbd key={name}>{name}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  );
}
