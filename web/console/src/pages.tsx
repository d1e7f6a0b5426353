import { useWords } from '../../shared/words.ts';
import type { ConsolePage } from './consolePage.ts';
import { later } from './later.tsx';
import { managementPages } from './managementPages.tsx';
import { DayPage } from './pages/DayPage.tsx';
import { Empty } from './ui/Loaded.tsx';

/** For an address that no page has, or whose page this user may not see. */
export const unknownPage: ConsolePage = {
  path: '',
  matches: () => true,
  pt: 'Página não encontrada',
  en: 'Page not found',
  inMenu: false,
  permission: 'watch',
  Page: UnknownPage,
};

function UnknownPage() {
  const t = useWords();
  return (
    <>
      <h1>{t(unknownPage.pt, unknownPage.en)}</h1>
      <Empty title={t('Este endereço não existe no console.', 'This address does not exist in the console.')}>
        {t(
          'Confira o endereço, ou escolha uma seção no menu. Se alguém lhe enviou este link, ele pode ser de um usuário com outro acesso.',
          'Check the address, or choose a section of the menu. A link that somebody sent you may need another access.',
        )}
      </Empty>
    </>
  );
}

export const pages: readonly ConsolePage[] = [
  {
    path: '/',
    matches: (path) => path === '/',
    pt: 'O dia',
    en: 'The day',
    inMenu: true,
    permission: 'watch',
    Page: DayPage,
  },
  {
    path: '/entregas',
    matches: (path) => path === '/entregas',
    pt: 'Entregas',
    en: 'Deliveries',
    inMenu: true,
    permission: 'watch',
    Page: later((pages) => pages.DeliveriesPage),
  },
  {
    path: '/entregas/id',
    matches: (path) => /^\/entregas\/\d+$/.test(path),
    pt: 'Entrega',
    en: 'Delivery',
    inMenu: false,
    permission: 'watch',
    Page: later((pages) => pages.DeliveryPage),
  },
  {
    path: '/busca',
    matches: (path) => path === '/busca',
    pt: 'Busca',
    en: 'Search',
    inMenu: false,
    permission: 'watch',
    Page: later((pages) => pages.SearchPage),
  },
  {
    path: '/nova',
    matches: (path) => path === '/nova',
    pt: 'Nova entrega',
    en: 'New delivery',
    inMenu: true,
    permission: 'order',
    Page: later((pages) => pages.NewDeliveryPage),
  },
  {
    path: '/condutores',
    matches: (path) => path === '/condutores',
    pt: 'Entregadores',
    en: 'Drivers',
    inMenu: true,
    permission: 'registers-read',
    Page: later((pages) => pages.DriversPage),
  },
  {
    path: '/condutores/id/conta',
    matches: (path) => /^\/condutores\/\d+\/conta$/.test(path),
    pt: 'Conta do entregador',
    en: 'Driver’s account',
    inMenu: false,
    permission: 'earnings-read',
    Page: later((pages) => pages.DriverAccountPage),
  },
  ...managementPages,
];
