import type { Role } from './caller.ts';
import type { Settings } from './central.ts';

/** A role, or a role under the condition of a setting of the central. */
type Grant = Role | keyof typeof conditions;

const conditions = {
  /** Operators administrate too, unless a setting reserves that for supervisors. */
  'operator in charge': { role: 'operator', isMet: (settings) => !settings.operatorsRunDayOnly },
  /** Contract 4.5: a setting of the central lets a manager top up the manager's company. */
  'manager who tops up': { role: 'manager', isMet: (settings) => settings.managerTopUp },
} as const satisfies Record<string, { role: Role; isMet(settings: Settings): boolean }>;

/** The roles of the central's staff. Integrators, managers and drivers are listed in each row that includes them. */
const staff = ['operator', 'supervisor', 'finance', 'attendant', 'viewer'] as const;

/**
 * The roles that have each permission, on both interfaces and at the console. Whatever is granted here, a manager is
 * limited to one company, and a driver acts only for itself. Supervisors are in every row, so that they can grant every
 * role.
 */
const granted = {
  /** See deliveries, scheduled ones and drivers at work, as they happen; look up addresses, routes and prices. */
  watch: [...staff, 'integrator', 'manager'],
  /** See photos and signatures of hand-overs. */
  'proof-read': [...staff, 'integrator', 'manager', 'driver'],
  /** See internal data of the central: authors of actions by name, calls for help, automatic merges. */
  internals: staff,
  /** Place, change, cancel and group orders. */
  order: ['operator', 'supervisor', 'attendant', 'integrator', 'manager'],
  /** Actions on orders that only the central takes: correct an address on the map, cancel a scheduled delivery. */
  desk: ['operator', 'supervisor', 'attendant'],
  /** Keep and look up the addresses and recipients of a company. */
  'address-book': ['operator', 'supervisor', 'attendant', 'manager'],
  /** Run deliveries: release, assign, hold, reassign, change stops, settle failures, answer calls for help. */
  dispatch: ['operator', 'supervisor'],
  /** Take the steps of a driver, report positions. */
  drive: ['operator', 'supervisor', 'driver'],
  /** Keep drivers, and the phones on which they sign in. */
  drivers: ['operator', 'supervisor'],
  companies: ['operator', 'supervisor'],
  /** Read the registers except users and keys, and the settings. */
  'registers-read': ['operator', 'supervisor', 'finance', 'viewer'],
  /** Change what deliveries cost and where they go: categories, tariffs, operating areas, coupons. */
  tariffs: ['operator in charge', 'supervisor'],
  /** Change the settings and the cancellation reasons. */
  settings: ['operator in charge', 'supervisor'],
  /** Read and change logins. */
  users: ['operator in charge', 'supervisor'],
  /** Read who changed what. */
  audit: ['operator in charge', 'supervisor'],
  /** Read the record of one's own requests; whoever keeps keys reads those of others too. */
  requests: [...staff, 'integrator', 'manager', 'driver'],
  /** Read, create and revoke API keys. */
  keys: ['operator in charge', 'supervisor'],
  'webhooks-read': ['operator', 'supervisor', 'viewer', 'integrator', 'manager'],
  /** Resend messages that an endpoint did not accept. */
  'webhooks-resend': ['operator', 'supervisor', 'integrator', 'manager'],
  webhooks: ['operator in charge', 'supervisor', 'integrator', 'manager'],
  /** Read how much is in a company's wallet. */
  balance: ['operator', 'supervisor', 'finance', 'viewer', 'integrator', 'manager'],
  /** Read the entries of a company's wallet. */
  'wallet-read': ['operator', 'supervisor', 'finance', 'viewer', 'manager'],
  /** Create Pix codes with which a company buys credit. */
  'pix-codes': ['operator', 'supervisor', 'finance', 'manager'],
  'top-up': ['operator in charge', 'supervisor', 'finance', 'integrator', 'manager who tops up'],
  withdraw: ['operator in charge', 'supervisor', 'finance', 'integrator'],
  /** Read the entries of a driver's account. */
  'earnings-read': ['operator', 'supervisor', 'finance', 'viewer', 'driver'],
  /** Make manual entries in a driver's account. */
  'driver-entries': ['operator in charge', 'supervisor', 'finance'],
  /** Read reports; a manager only those of one company, without drivers. */
  reports: ['operator', 'supervisor', 'finance', 'viewer', 'manager'],
  /** Read closings; a manager only those of one company. */
  'closings-read': ['operator', 'supervisor', 'finance', 'viewer', 'manager'],
  /** Close accounts, and mark closings as paid. */
  closings: ['operator in charge', 'supervisor', 'finance'],
} as const satisfies Record<string, readonly Grant[]>;

export type Permission = keyof typeof granted;
export const permissions = Object.keys(granted) as Permission[];

export const roles: readonly Role[] = [...staff, 'integrator', 'manager', 'driver'];

interface Rightful {
  role: Role;
  central: { settings: Settings };
  scopes?: ReadonlySet<string>;
}

const grantsOf = (permission: Permission): readonly Grant[] => granted[permission];

/** What every program may do, whatever scopes it was given. */
export const WITHOUT_SCOPE: readonly Permission[] = ['requests'];

/** Whether a program was made without the permission. */
export const lacksScope = ({ scopes }: Pick<Rightful, 'scopes'>, permission: Permission): boolean =>
  scopes !== undefined && !scopes.has(permission) && !WITHOUT_SCOPE.includes(permission);

/** Logins and credentials are those of the real central: its sandbox has none of its own. */
export const isOfRealSide = (permission: Permission): boolean =>
  permission === 'users' || permission === 'keys';

export const may = (caller: Rightful, permission: Permission): boolean =>
  !lacksScope(caller, permission) &&
  grantsOf(permission).some((grant) =>
    grant in conditions
      ? conditions[grant as keyof typeof conditions].role === caller.role &&
        conditions[grant as keyof typeof conditions].isMet(caller.central.settings)
      : grant === caller.role,
  );

/** Whether the role has the permission always, under a setting only, or never. */
export function grantOf(role: Role, permission: Permission): 'always' | 'by setting' | 'never' {
  const grants = grantsOf(permission);
  if (grants.includes(role)) return 'always';
  const isConditional = ([name, condition]: [string, { role: Role }]) =>
    condition.role === role && grants.includes(name as Grant);
  return Object.entries(conditions).some(isConditional) ? 'by setting' : 'never';
}

/** Roles that have the permission, at least under some settings. */
export const rolesWith = (permission: Permission): Role[] =>
  roles.filter((role) => grantOf(role, permission) !== 'never');

export const permissionsOf = (caller: Rightful): Permission[] =>
  permissions.filter((permission) => may(caller, permission));

/**
 * Whether the caller has every right of the role. Nobody can grant rights, or take over logins with rights, that they
 * lack.
 */
export const outranks = (caller: Rightful, role: Role): boolean =>
  permissionsOf({ role, central: caller.central }).every((permission) => may(caller, permission));
