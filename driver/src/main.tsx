import './style.css';
import { createRoot } from 'react-dom/client';
import { startDriverApp } from './driverApp.ts';
import { App } from './screens/App.tsx';
import { AppContext } from './useApp.ts';

const app = await startDriverApp();
createRoot(document.getElementById('app')!).render(
  <AppContext value={app}>
    <App />
  </AppContext>,
);
