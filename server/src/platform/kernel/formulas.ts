/** The characters with which spreadsheets begin a formula, and their full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Prefixes a text that a spreadsheet would compute, so that it stays a text. The console uses it for its files too. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
