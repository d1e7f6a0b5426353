import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { isLoggedOut, request } from './api.ts';
import { setServerNow } from './clock.ts';
import { LoginPage } from './pages/LoginPage.tsx';

export interface Session {
  /** The server's clock when it answered. */
  agora: string;
  usuario: string;
  perfil: 'operador' | 'integrador' | 'gerente';
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

/** Runs the whole central, where a company's manager sees the own company only. */
export const useIsOperator = (): boolean => useSession().perfil === 'operador';

export function SessionGate({ children }: { children: ReactNode }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      const { data: session } = (await request('GET', '/console/sessao')) as { data: Session };
      setServerNow(session.agora);
      return session;
    },
    retry: (count, failure) => !isLoggedOut(failure) && count < 3,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return null;
  // A server out of reach does not end the session.
  const isOut = isLoggedOut(error);
  if (isOut || !data) return <LoginPage hasEnded={isOut && data !== undefined} />;
  return <SessionContext value={data}>{children}</SessionContext>;
}

export function useLogOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await request('DELETE', '/console/sessao');
    queries.clear();
    await queries.invalidateQueries();
    location.assign('/console');
  };
}
