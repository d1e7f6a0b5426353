const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A name as people see it: without characters that are not drawn, and composed. Otherwise two records could have names
 * that look the same and are not.
 */
export const plainName = (text: string): string => text.replace(INVISIBLE, '').normalize('NFC').trim();

/**
 * A name that is typed to identify something, such as a login: other forms of a letter count as the letter too, such as
 * those of full width. Names that are only read keep them, because "nº" would become "no".
 */
export const plainIdentifier = (text: string): string => plainName(text.normalize('NFKC'));
