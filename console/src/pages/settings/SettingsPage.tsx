import { useWords } from '../../words.ts';
import { Coupons } from './Coupons.tsx';
import { Reasons } from './Reasons.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import './settings.css';

export function SettingsPage() {
  const t = useWords();
  return (
    <>
      <h1>{t('Configurações', 'Settings')}</h1>
      <SettingsForm />
      <Reasons />
      <Coupons />
    </>
  );
}
