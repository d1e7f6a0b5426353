import './style.css';
import { createRoot } from 'react-dom/client';
import { ignoreStraySecondClicks } from '../../shared/secondClicks.ts';
import type { DriverApp } from './appState.ts';
import { startDriverApp } from './driverApp.ts';
import { App } from './screens/App.tsx';
import { Broken } from './screens/Broken.tsx';
import { NoStorage } from './screens/NoStorage.tsx';
import { AppContext } from './useApp.ts';

ignoreStraySecondClicks();

let started: DriverApp | undefined;
const root = createRoot(document.getElementById('app')!, {
  onUncaughtError(error) {
    console.error(error);
    root.render(<Broken forgetWork={async () => started?.forgetWork()} />);
  },
});
// The bundle is a classic script, which browsers can store compiled, so it cannot use a top-level await.
void startDriverApp().then(
  (app) => {
    started = app;
    root.render(
      <AppContext value={app}>
        <App />
      </AppContext>,
    );
  },
  () => root.render(<NoStorage />),
);
