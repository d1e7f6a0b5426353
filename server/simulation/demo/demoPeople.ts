import { roleCode } from '../../src/api/json/codes.ts';
import type { Demonstration } from '../../src/pages/console/installConsole.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { findDemoLogins } from './demoAccess.ts';
import { DEMO_PASSWORD, demoCentrals } from './demoCentrals.ts';

/**
 * The people offered on the login page: only existing ones, because older and empty demonstrations have fewer. None
 * once the key is revoked. A page served before then shows buttons whose logins are refused.
 */
export function demoPeople(db: Database): () => Promise<Demonstration | undefined> {
  const { name, operator, managers, companies, driverLogin, drivers, staff = [] } = demoCentrals[0]!;
  const demonstration: Demonstration = {
    central: name,
    senha: DEMO_PASSWORD,
    pessoas: [
      { perfil: 'operador', usuario: operator, nome: null },
      ...staff.map(({ username, role }) => ({ perfil: roleCode[role], usuario: username, nome: null })),
      { perfil: 'gerente', usuario: managers[0]!, nome: companies[0]!.name },
      { perfil: 'condutor', usuario: `${driverLogin}1`, nome: drivers[0]!.name },
    ],
  };
  return async () => {
    const logins = await findDemoLogins(db);
    const pessoas = demonstration.pessoas.filter(({ usuario }) => logins.has(usuario));
    return pessoas.length > 0 ? { ...demonstration, pessoas } : undefined;
  };
}
