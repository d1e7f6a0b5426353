import { useWords } from '../../../../shared/words.ts';
import { downloadReport, type PartsBy, type ReportQuery, type SeriesBy } from '../../data/reports.ts';
import { useAction } from '../../form.ts';

/** Saves the plot or table above it as a spreadsheet file. */
export function DownloadButton({
  asked,
  by,
  of,
  isOld,
}: {
  asked: ReportQuery;
  by: SeriesBy | PartsBy | 'motivo';
  /** The name of the plot or table, for screen readers. */
  of: string;
  /** The data on the screen is not yet that of the filters. */
  isOld: boolean;
}) {
  const t = useWords();
  const save = useAction(() => downloadReport(asked, by), { toastsFailure: true });
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
