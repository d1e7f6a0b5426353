import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '../../shared/api.gen.ts';
import { setServerNow } from '../../shared/clock.ts';
import { ApiError, type Entry, isLoggedOut, request } from './api.ts';
import { forgetDrafts, useAction } from './form.ts';
import { LoginPage } from './pages/LoginPage.tsx';

type Role = Entry<'operacao', 'GET /usuarios'>['perfil'];

export interface Session {
  /** The server's clock when it answered. */
  agora: string;
  usuario: string;
  perfil: Role;
  permissoes: readonly Permission[];
  empresa_id: string | null;
  central: {
    id: string;
    nome: string;
    fuso_horario: string;
    cor: string;
    simulacao: boolean;
    /** Whether a company's manager may. The central always may. */
    permite_cancelar_programada_aguardando: boolean;
  };
}

const SessionContext = createContext<Session | null>(null);

/** The session of the user, which everything below a SessionGate has. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionGate above it');
  return session;
}

/** Whether to offer an action. The server makes the decision. */
export const useMay = (permission: Permission): boolean => useSession().permissoes.includes(permission);

/** Shows its children only to users with the permission. */
export const IfMay = ({ permission, children }: { permission: Permission; children: ReactNode }) =>
  useMay(permission) ? children : null;

/** A company's manager sees and orders for that company only. */
export const useIsManager = (): boolean => useSession().empresa_id !== null;

const LAST = 'malote.quem';
const whoIs = ({ central, usuario }: Session): string => `${central.id} ${usuario}`;

/** Whether another person used this tab before, until the session ended or somebody logged in in another tab. */
function isSomebodyElse(session: Session): boolean {
  const before = sessionStorage.getItem(LAST);
  sessionStorage.setItem(LAST, whoIs(session));
  return before !== null && before !== whoIs(session);
}

export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error, isPending } = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const { data: session } = (await request('GET', '/console/sessao')) as { data: Session | null };
      if (!session) throw new ApiError('bad-credentials', []);
      setServerNow(session.agora);
      if (isSomebodyElse(session)) {
        forgetDrafts();
        // Everything on the screen is read again as the new user.
        void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      }
      return session;
    },
    retry: (count, failure) => !isLoggedOut(failure) && count < 3,
    staleTime: Number.POSITIVE_INFINITY,
    // New permissions cause no refusal that would reveal them, so they are read when the user returns to the page.
    refetchOnWindowFocus: 'always',
  });
  if (isPending) return null;
  // An unreachable server does not end the session.
  const isOut = isLoggedOut(error);
  if (isOut || !data) return <LoginPage hasEnded={isOut && data !== undefined} />;
  return (
    <SessionContext key={whoIs(data)} value={data}>
      {children}
    </SessionContext>
  );
}

/** Shows an error if the log-out fails, because the next person at the machine would have an open session. */
export function useLogOut() {
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    try {
      await request('DELETE', '/console/sessao');
    } catch (error) {
      if (!isLoggedOut(error)) throw error;
    }
  };
  return useAction(leave, {
    toastsFailure: true,
    onDone: () => {
      queries.clear();
      location.assign('/console');
    },
  });
}
