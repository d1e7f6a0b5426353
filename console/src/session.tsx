import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from './api.gen.ts';
import { type Entry, isLoggedOut, request } from './api.ts';
import { setServerNow } from './clock.ts';
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
    // Rights that were given meanwhile cause no refusal: they are there when the person comes back to the page.
    refetchOnWindowFocus: 'always',
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
