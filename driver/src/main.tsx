import './style.css';
import { createRoot } from 'react-dom/client';
import { startDriverApp } from './driverApp.ts';
import { App } from './screens/App.tsx';
import { AppContext } from './useApp.ts';

// Not awaited here: only a classic script is kept compiled with the app's files, and it has no await of its own.
void startDriverApp().then((app) =>
  createRoot(document.getElementById('app')!).render(
    <AppContext value={app}>
      <App />
    </AppContext>,
  ),
);
