import type { Demonstration } from '../pages/console/installConsole.ts';
import type { Database } from '../postgres/database.ts';
import { hasDemoKey } from './demoAccess.ts';
import { DEMO_PASSWORD, demoCentrals } from './demoCentrals.ts';

/**
 * Who may be chosen on the login page. Nobody, once the keys of the demonstration are revoked: a page that was served
 * before then shows buttons whose logins are refused.
 */
export function demoPeople(db: Database): () => Promise<Demonstration | undefined> {
  const { name, operator, managers, companies, driverLogin, drivers } = demoCentrals[0]!;
  const demonstration: Demonstration = {
    central: name,
    senha: DEMO_PASSWORD,
    pessoas: [
      { perfil: 'operador', usuario: operator, nome: null },
      { perfil: 'gerente', usuario: managers[0]!, nome: companies[0]!.name },
      { perfil: 'condutor', usuario: `${driverLogin}1`, nome: drivers[0]!.name },
    ],
  };
  return async () => ((await hasDemoKey(db)) ? demonstration : undefined);
}
