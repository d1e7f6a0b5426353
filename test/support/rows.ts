import type { Json } from './client.ts';
import type { TestMalote } from './malote.ts';

// What is stored but shown by no interface, or shown only rounded: tests read it here, never by SQL of their own.

/** A scheduled delivery of central 1, with all its columns. */
export async function scheduledRow({ db }: TestMalote, id: number): Promise<Json> {
  const [row] = await db<Json>`select * from scheduled where central_id = 1 and id = ${id}`;
  return row;
}
