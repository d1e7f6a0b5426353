/** Contract 7.1: every answer says whether it succeeded; a failure lists its errors. */
export interface ErrorEntry {
  code: number;
  message: string;
}

export const failureBody = (errors: readonly ErrorEntry[]) => ({ success: false as const, errors });

/** An answer that PostgreSQL already wrote as JSON; it is passed through untouched. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
