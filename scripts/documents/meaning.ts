/** English, and Portuguese where the schema has no description. */
export type Meaning = readonly [english: string, portuguese?: string];
