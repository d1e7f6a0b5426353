/** How a refusal is answered. `{name}` in a text is filled from the refusal's details. */
export interface Failure {
  status: number;
  code: number;
  pt: string;
  en: string;
}

/** A few refusals have a code that integrators know from similar platforms. */
export const fail = <const Pt extends string, const En extends string>(
  status: number,
  pt: Pt,
  en: En,
  code = 0,
): Failure & { pt: Pt; en: En } => ({ status, code, pt, en });
