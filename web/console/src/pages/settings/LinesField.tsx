import { useWords } from '../../../../shared/words.ts';
import { TextField } from '../../ui/Field.tsx';

interface LinesProps {
  label: string;
  lines: readonly string[];
  error: string | undefined;
  onChange: (lines: string[]) => void;
}

/** A list of texts, one on each line. */
export function LinesField({ label, lines, error, onChange }: LinesProps) {
  const t = useWords();
  return (
    <TextField
      label={label}
      hint={t(
        'Um por linha, como https://painel.exemplo.com.br, sem barra no fim. Vazio: nenhum.',
        'One per line, like https://panel.example.com, without a slash at the end. Empty: none.',
      )}
      rows={Math.max(2, lines.length)}
      spellCheck={false}
      value={lines.join('\n')}
      error={error}
      onChange={(event) => onChange(event.target.value.split('\n'))}
    />
  );
}

/** What is sent of a list: lines that were left empty mean nothing. */
export const writtenLines = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '');
