import { LRUCache } from 'lru-cache';

const USERS_MAX = 50_000;
/** So that a user of one central who moves through many networks cannot push other users out. */
const NETWORKS_PER_USER_MAX = 20;

/**
 * From where each user has been let in before, and with which password, as a keyed digest. Only successes are kept
 * here, so that strangers can neither add anything nor push anything out.
 */
export interface KnownClients {
  /** 'proven': this very password was right here before. 'home': the user was let in from this network. */
  standing(user: string, network: string, seal: string): 'proven' | 'home' | 'stranger';
  letIn(user: string, network: string, seal: string): void;
  /** The password is right no longer. */
  disprove(user: string, network: string, seal: string): void;
}

export function knownClients(): KnownClients {
  const users = new LRUCache<string, LRUCache<string, string>>({ max: USERS_MAX });
  return {
    standing(user, network, seal) {
      const known = users.get(user)?.get(network);
      if (known === undefined) return 'stranger';
      return known === seal ? 'proven' : 'home';
    },
    letIn(user, network, seal) {
      const networks = users.get(user) ?? new LRUCache<string, string>({ max: NETWORKS_PER_USER_MAX });
      networks.set(network, seal);
      users.set(user, networks);
    },
    disprove(user, network, seal) {
      const networks = users.get(user);
      if (networks?.get(network) === seal) networks.set(network, '');
    },
  };
}
