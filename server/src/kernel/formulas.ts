/** What spreadsheets take for the beginning of a formula, in the wide letters of some keyboards too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text that a spreadsheet would compute is kept a text. The console writes files with it too. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
