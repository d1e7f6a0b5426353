/**
 * How a delivery goes when simulated couriers carry it.
 *
 * success     accepted, picked up, handed over, finished
 * refusal     the first courier who is asked refuses; the next one carries it to the end
 * no_driver   nobody answers
 * giving_up   the first courier who accepts gives it up before the pickup; the next one carries it to the end
 * breakdown   the courier's vehicle breaks down on the way to the pickup, and the central cancels
 * absent      the recipient of the last stop is not there; after a while the central cancels
 * failure     the recipient of the last stop is not there; the courier reports it, and the central's rules decide
 */
export type Script = 'success' | 'refusal' | 'no_driver' | 'giving_up' | 'breakdown' | 'absent' | 'failure';
