import './style.css';
import { createRoot } from 'react-dom/client';
import { keepOnPhone } from './device/serviceWorker.ts';
import { SignIn } from './screens/SignIn.tsx';

void keepOnPhone(() => undefined);
createRoot(document.getElementById('app')!).render(<SignIn />);
