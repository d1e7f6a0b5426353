import type { EstimateNeeds } from '../estimates/estimateTrip.ts';

/** All that a request may need. */
export interface AppNeeds extends EstimateNeeds {}
