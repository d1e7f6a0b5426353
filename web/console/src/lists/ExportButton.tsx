import { useState } from 'react';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { useAction } from '../form.ts';
import { saveFile } from '../ui/saveFile.ts';
import type { FilePart } from './list.ts';

/** Saves the filtered records as a spreadsheet file. Reads them in parts and shows the progress. */
export function ExportButton({
  readFile,
  body,
  isOld,
}: {
  readFile: (body: Record<string, unknown>) => Promise<FilePart>;
  body: Record<string, unknown>;
  /** The rows on the screen are not yet those of the filters. */
  isOld: boolean;
}) {
  const t = useWords();
  const language = useLanguage();
  const [lines, setLines] = useState(0);
  const write = (count: number) => count.toLocaleString(language === 'pt' ? 'pt-BR' : 'en-GB');
  const save = useAction(
    async () => {
      setLines(0);
      const parts: string[] = [];
      let part = await readFile(body);
      for (;;) {
        parts.push(part.conteudo);
        setLines(part.linhas);
        if (part.proximo === null) break;
        part = await readFile({ ...body, cursor: part.proximo });
      }
      saveFile(part.nome, new Blob(parts, { type: 'text/csv;charset=utf-8' }));
      return part;
    },
    {
      done: ({ linhas, limitado, limite_linhas }) =>
        limitado && linhas < limite_linhas
          ? t(
              `Arquivo com ${write(linhas)} linhas, mas há mais: o texto procurado está em muitos registros, e só os mais novos entram. Procure por algo mais exato.`,
              `File with ${write(linhas)} rows, but there are more: many records contain the text, and only the newest are included. Search for something more specific.`,
            )
          : limitado
            ? t(
                `O arquivo parou em ${write(limite_linhas)} linhas. Escolha um período menor para ver o resto.`,
                `The file stopped at ${write(limite_linhas)} rows. Choose a shorter period to see the rest.`,
              )
            : linhas === 1
              ? t('Arquivo com 1 linha.', 'File with 1 row.')
              : t(`Arquivo com ${write(linhas)} linhas.`, `File with ${write(linhas)} rows.`),
      toastsFailure: true,
    },
  );
  return (
    <button type="button" className="export" disabled={isOld || save.isPending} onClick={() => save.mutate()}>
      {save.isPending
        ? t(`Exportando… ${write(lines)}`, `Exporting… ${write(lines)}`)
        : t('Exportar planilha', 'Export spreadsheet')}
    </button>
  );
}
