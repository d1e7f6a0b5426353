import { AccessPage } from './pages/access/AccessPage.tsx';
import { AreasPage } from './pages/areas/AreasPage.tsx';
import { AuditPage } from './pages/audit/AuditPage.tsx';
import { ClosingsPage } from './pages/closings/ClosingsPage.tsx';
import { CompaniesPage } from './pages/companies/CompaniesPage.tsx';
import { CompanyAccountPage } from './pages/companies/CompanyAccountPage.tsx';
import { CompanyPage } from './pages/companies/CompanyPage.tsx';
import { ReportsPage } from './pages/reports/ReportsPage.tsx';
import { EditScheduledPage } from './pages/scheduled/EditScheduledPage.tsx';
import { MergesPage } from './pages/scheduled/MergesPage.tsx';
import { ScheduledDetailPage } from './pages/scheduled/ScheduledDetailPage.tsx';
import { ScheduledListPage } from './pages/scheduled/ScheduledListPage.tsx';
import { ScheduledPage } from './pages/scheduled/ScheduledPage.tsx';
import type { ConsolePage } from './pages.tsx';
import './pages/registers.css';
import { SettingsPage } from './pages/settings/SettingsPage.tsx';
import { TariffsPage } from './pages/tariffs/TariffsPage.tsx';
import { WebhookPage } from './pages/webhooks/WebhookPage.tsx';
import { WebhooksPage } from './pages/webhooks/WebhooksPage.tsx';

/** Planning ahead, and the registers behind the day's work. */
export const managementPages: readonly ConsolePage[] = [
  {
    path: '/programadas',
    matches: (path) => path === '/programadas',
    pt: 'Programadas',
    en: 'Scheduled',
    inMenu: true,
    permission: 'watch',
    Page: ScheduledPage,
  },
  {
    path: '/programadas/lista',
    matches: (path) => path === '/programadas/lista',
    pt: 'Todas as programadas',
    en: 'All scheduled',
    inMenu: false,
    permission: 'watch',
    Page: ScheduledListPage,
  },
  {
    path: '/programadas/agrupamentos',
    matches: (path) => path === '/programadas/agrupamentos',
    pt: 'Agrupamentos automáticos',
    en: 'Automatic merges',
    inMenu: false,
    permission: 'internals',
    Page: MergesPage,
  },
  {
    path: '/programadas/id',
    matches: (path) => /^\/programadas\/\d+$/.test(path),
    pt: 'Programada',
    en: 'Scheduled delivery',
    inMenu: false,
    permission: 'watch',
    Page: ScheduledDetailPage,
  },
  {
    path: '/programadas/id/editar',
    matches: (path) => /^\/programadas\/\d+\/editar$/.test(path),
    pt: 'Editar programada',
    en: 'Edit scheduled delivery',
    inMenu: false,
    permission: 'order',
    isManagers: true,
    Page: EditScheduledPage,
  },
  {
    path: '/empresas',
    matches: (path) => path === '/empresas',
    pt: 'Empresas',
    en: 'Companies',
    inMenu: true,
    permission: 'wallet-read',
    Page: CompaniesPage,
  },
  {
    path: '/empresas/id',
    matches: (path) => /^\/empresas\/\d+$/.test(path),
    pt: 'Empresa',
    en: 'Company',
    inMenu: false,
    permission: 'registers-read',
    Page: CompanyPage,
  },
  {
    path: '/empresas/id/conta',
    matches: (path) => /^\/empresas\/\d+\/conta$/.test(path),
    pt: 'Conta da empresa',
    en: 'Company’s account',
    inMenu: false,
    permission: 'registers-read',
    Page: CompanyAccountPage,
  },
  {
    path: '/fechamentos',
    matches: (path) => path === '/fechamentos',
    pt: 'Fechamento',
    en: 'Closing',
    inMenu: true,
    permission: 'closings-read',
    Page: ClosingsPage,
  },
  {
    path: '/relatorios',
    matches: (path) => path === '/relatorios',
    pt: 'Relatórios',
    en: 'Reports',
    inMenu: true,
    permission: 'reports',
    Page: ReportsPage,
  },
  {
    path: '/areas',
    matches: (path) => path === '/areas',
    pt: 'Áreas de atuação',
    en: 'Operating areas',
    inMenu: true,
    permission: 'registers-read',
    Page: AreasPage,
  },
  {
    path: '/webhooks',
    matches: (path) => path === '/webhooks',
    pt: 'Webhooks',
    en: 'Webhooks',
    inMenu: true,
    permission: 'webhooks-read',
    Page: WebhooksPage,
  },
  {
    path: '/webhooks/id',
    matches: (path) => /^\/webhooks\/\d+$/.test(path),
    pt: 'Webhook',
    en: 'Webhook',
    inMenu: false,
    permission: 'webhooks-read',
    Page: WebhookPage,
  },
  {
    path: '/tarifas',
    matches: (path) => path === '/tarifas',
    pt: 'Categorias e tarifas',
    en: 'Categories and tariffs',
    inMenu: true,
    permission: 'registers-read',
    Page: TariffsPage,
  },
  {
    path: '/acessos',
    matches: (path) => path === '/acessos',
    pt: 'Usuários e chaves',
    en: 'Users and keys',
    inMenu: true,
    permission: 'users',
    Page: AccessPage,
  },
  {
    path: '/auditoria',
    matches: (path) => path === '/auditoria',
    pt: 'Auditoria',
    en: 'Audit log',
    inMenu: true,
    permission: 'audit',
    Page: AuditPage,
  },
  {
    path: '/configuracoes',
    matches: (path) => path === '/configuracoes',
    pt: 'Configurações',
    en: 'Settings',
    inMenu: true,
    permission: 'registers-read',
    Page: SettingsPage,
  },
];
