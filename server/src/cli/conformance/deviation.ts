/** The server contradicts the contract. */
export class Deviation extends Error {
  override name = 'Deviation';
}

/** The check needs what this run does not have, such as a finished delivery. */
export class Unchecked extends Error {
  override name = 'Unchecked';
}

export function expect(isTrue: boolean, problem: string): asserts isTrue {
  if (!isTrue) throw new Deviation(problem);
}
