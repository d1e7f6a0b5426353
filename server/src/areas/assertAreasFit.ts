import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { findShapesSize } from './areaStore.ts';

/**
 * About 75,000 positions: the outlines of hundreds of districts. Every process keeps all areas in memory, and
 * lists and files of them are written in one piece, so their total size is bounded.
 */
const SHAPES_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Called after the areas are written. The lock on the central keeps two concurrent writers from exceeding the
 * limit together.
 */
export async function assertAreasFit(tx: Tx, centralId: number): Promise<void> {
  if ((await findShapesSize(tx, centralId)) > SHAPES_BYTES_MAX) throw new Refusal('areas-too-large');
}
