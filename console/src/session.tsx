import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from './api.gen.ts';
import { type Entry, isLoggedOut, request } from './api.ts';
import { setServerNow } from './clock.ts';
import { forgetDrafts, useAction } from './form.ts';
import { LoginPage } from './pages/LoginPage.tsx';

type Role = Entry<'operacao', 'GET /usuarios'>['perfil'];

export interface Session {
  /** The server's clock when it answered. */
  agora: string;
  usuario: string;
  perfil: Role;
  permissoes: readonly Permission[];
  empresa_id: number | null;
  central: { id: number; nome: string; fuso_horario: string; cor: string; simulacao: boolean };
}

const SessionContext = createContext<Session | null>(null);

/** Who is at the console; everything below a SessionGate has one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session above');
  return session;
}

/** Whether to offer something at all; the server decides. */
export const useMay = (permission: Permission): boolean => useSession().permissoes.includes(permission);

/** Offers what is inside only to those who may do it. */
export const IfMay = ({ permission, children }: { permission: Permission; children: ReactNode }) =>
  useMay(permission) ? children : null;

/** A company's manager sees and orders for the own company only. */
export const useIsManager = (): boolean => useSession().empresa_id !== null;

const LAST = 'malote.quem';
const whoIs = ({ central, usuario }: Session): string => `${central.id} ${usuario}`;

/** Whether another person was at this tab before: after a session that ended, or a login in another tab. */
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
      const { data: session } = (await request('GET', '/console/sessao')) as { data: Session };
      setServerNow(session.agora);
      if (isSomebodyElse(session)) {
        forgetDrafts();
        // What is on the screen is read again as the new one.
        void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      }
      return session;
    },
    retry: (count, failure) => !isLoggedOut(failure) && count < 3,
    staleTime: Number.POSITIVE_INFINITY,
    // Rights that were given meanwhile cause no refusal: they are there when the person comes back to the page.
    refetchOnWindowFocus: 'always',
  });
  if (isPending) return null;
  // A server out of reach does not end the session.
  const isOut = isLoggedOut(error);
  if (isOut || !data) return <LoginPage hasEnded={isOut && data !== undefined} />;
  return (
    <SessionContext key={whoIs(data)} value={data}>
      {children}
    </SessionContext>
  );
}

/** A log-out that fails shows an error: the user would leave an open session to whoever uses the machine next. */
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
    tellsFailure: true,
    onDone: () => {
      queries.clear();
      location.assign('/console');
    },
  });
}
