import './style.css';
import { createRoot } from 'react-dom/client';
import { startDriverApp } from './driverApp.ts';
import { App } from './screens/App.tsx';
import { NoStorage } from './screens/NoStorage.tsx';
import { AppContext } from './useApp.ts';

// Not awaited here: only a classic script is kept compiled with the app's files, and it has no await of its own.
const root = createRoot(document.getElementById('app')!);
void startDriverApp().then(
  (app) =>
    root.render(
      <AppContext value={app}>
        <App />
      </AppContext>,
    ),
  () => root.render(<NoStorage />),
);
