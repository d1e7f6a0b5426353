import { downloadReport, type PartsBy, type ReportQuery, type SeriesBy } from '../../data/reports.ts';
import { useAction } from '../../form.ts';
import { useWords } from '../../words.ts';

/** Saves what is above it as a file for spreadsheets. */
export function DownloadButton({
  asked,
  by,
  of,
  isOld,
}: {
  asked: ReportQuery;
  by: SeriesBy | PartsBy | 'motivo';
  /** What it saves, for those who do not see what is above. */
  of: string;
  /** What is shown is not what the file would hold. */
  isOld: boolean;
}) {
  const t = useWords();
  const save = useAction(() => downloadReport(asked, by), { tellsFailure: true });
  return (
    <button
      type="button"
      className="plain no-print"
      disabled={isOld || save.isPending}
      aria-label={t(`Baixar planilha: ${of}`, `Download spreadsheet: ${of}`)}
      onClick={() => save.mutate()}
    >
      {t('Baixar planilha', 'Download spreadsheet')}
    </button>
  );
}
