import type { Role } from './access.ts';

/** Who did what an event tells of: null is the service itself, and without it nobody knows. */
export interface Authored {
  autor?: { nome: string | null; perfil: Role } | null;
}
