import { useEffect, useState } from 'react';
import { formatMoney } from '../../../shared/formats.ts';
import { useLanguage, useWords } from '../../../shared/words.ts';
import { dayAt } from '../core/days.ts';
import type { LocalWork } from '../core/localView.ts';
import { allowPush, pushState, watchPush } from '../device/push.ts';
import { dayWords } from '../format.ts';
import { DutySwitch } from '../ui/DutySwitch.tsx';
import { useFocusOn } from '../ui/focus.ts';
import { Icon } from '../ui/Icon.tsx';
import { LocationNote } from '../ui/LocationNote.tsx';
import { useServerNow } from '../useApp.ts';

/** The screen between runs: duty, notices and earnings. */
export function Home({ view }: { view: LocalWork }) {
  const t = useWords();
  const language = useLanguage();
  const today = dayAt(useServerNow(10_000));
  const { condutor, ganhos } = view;
  const isOn = condutor.disponivel;
  useFocusOn('home');
  return (
    <main>
      <DutySwitch isOn={isOn} />

      {isOn ? (
        <div className="empty" role="status">
          <Icon name="clock" />
          <p>
            <strong>{t('Esperando ofertas', 'Waiting for offers')}</strong>
          </p>
          <p>
            {t(
              'Quando a central oferecer uma entrega, ela aparece aqui com som e vibração.',
              'When the central offers a delivery, it appears here with sound and vibration.',
            )}
          </p>
        </div>
      ) : (
        <div className="empty">
          <p>
            {t(
              'Fora de serviço você não recebe ofertas e a sua posição não é enviada.',
              'Off duty you receive no offers and your position is not sent.',
            )}
          </p>
        </div>
      )}
      {isOn && <LocationNote />}
      <PushCard driverId={condutor.id} />

      <a className="card row" href="#/ganhos">
        <span>
          {dayWords(dayAt(Date.parse(view.agora)), today, language)}: {ganhos.hoje.entregas}{' '}
          {ganhos.hoje.entregas === 1 ? t('entrega', 'delivery') : t('entregas', 'deliveries')}
        </span>
        <strong className="amount">{formatMoney(ganhos.hoje.valor)}</strong>
      </a>
      <section className="card">
        <h2>{condutor.nome}</h2>
        <p>
          {[condutor.veiculo, condutor.placa].filter(Boolean).join(' · ')}
          {condutor.categorias.length > 0 && (
            <span className="soft"> · {condutor.categorias.map(({ nome }) => nome).join(', ')}</span>
          )}
        </p>
      </section>
    </main>
  );
}

function PushCard({ driverId }: { driverId: string }) {
  const t = useWords();
  const [push, setPush] = useState(pushState);
  useEffect(() => watchPush(driverId, setPush), [driverId]);
  if (push === 'denied')
    return (
      <p className="note">
        {t(
          'Os avisos estão bloqueados: com a tela apagada você não fica sabendo de ofertas. Libere-os nas permissões do navegador.',
          'Notifications are blocked: while the screen is off you are not told of offers. Allow them in the browser’s permissions.',
        )}
      </p>
    );
  if (push !== 'askable') return null;
  return (
    <section className="card">
      <p>
        {t(
          'Receba um aviso de oferta também com a tela apagada.',
          'Be told of an offer also while the screen is off.',
        )}
      </p>
      <button type="button" onClick={() => void allowPush(driverId).then(setPush)}>
        <Icon name="bell" />
        {t('Ativar avisos', 'Turn notifications on')}
      </button>
    </section>
  );
}
