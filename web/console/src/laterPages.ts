/*
 * All pages but the first one. They are one script: with a script for each page, modules that several pages share
 * became scripts of their own too, sixty in all, and the browser asked for thirty of them to show one page.
 */

export { AccessPage } from './pages/access/AccessPage.tsx';
export { SandboxPage } from './pages/access/SandboxPage.tsx';
export { AreasPage } from './pages/areas/AreasPage.tsx';
export { AuditPage } from './pages/audit/AuditPage.tsx';
export { ClosingsPage } from './pages/closings/ClosingsPage.tsx';
export { CompaniesPage } from './pages/companies/CompaniesPage.tsx';
export { CompanyAccountPage } from './pages/companies/CompanyAccountPage.tsx';
export { CompanyPage } from './pages/companies/CompanyPage.tsx';
export { CorrectionsPage } from './pages/corrections/CorrectionsPage.tsx';
export { DeliveriesPage } from './pages/DeliveriesPage.tsx';
export { DeliveryPage } from './pages/DeliveryPage.tsx';
export { DriversPage } from './pages/DriversPage.tsx';
export { DriverAccountPage } from './pages/drivers/DriverAccountPage.tsx';
export { NewDeliveryPage } from './pages/NewDeliveryPage.tsx';
export { ReportsPage } from './pages/reports/ReportsPage.tsx';
export { RequestsPage } from './pages/requests/RequestsPage.tsx';
export { EditScheduledPage } from './pages/scheduled/EditScheduledPage.tsx';
export { MergesPage } from './pages/scheduled/MergesPage.tsx';
export { ScheduledDetailPage } from './pages/scheduled/ScheduledDetailPage.tsx';
export { ScheduledListPage } from './pages/scheduled/ScheduledListPage.tsx';
export { ScheduledPage } from './pages/scheduled/ScheduledPage.tsx';
export { SettingsPage } from './pages/settings/SettingsPage.tsx';
export { TariffsPage } from './pages/tariffs/TariffsPage.tsx';
export { WebhookPage } from './pages/webhooks/WebhookPage.tsx';
export { WebhooksPage } from './pages/webhooks/WebhooksPage.tsx';
export { SearchPage } from './search/SearchPage.tsx';
