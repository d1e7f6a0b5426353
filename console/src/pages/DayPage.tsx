import { Empty } from '../ui/Empty.tsx';
import { useWords } from '../words.ts';

export function DayPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('O dia', 'The day')}</h1>
      <Empty title={t('Nenhuma entrega ainda', 'No deliveries yet')}>
        {t('As entregas de hoje aparecem aqui.', "Today's deliveries appear here.")}
      </Empty>
    </>
  );
}
