/** The number of decimal digits that a double always preserves (IEEE 754, binary64). */
export const exactDigits = 15;

const written = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Maximum length of a number. The decimal notation of the smallest double is shorter. */
const longestNumber = 400;

/** Returns whether a text is a JSON number, optionally with a plus. */
export const isNumber = (text: string): boolean => written.test(text);

/**
 * Converts a text to a number if no digit is lost. Otherwise the text stays, and the validation reports it:
 * an error is better than, for example, a changed account number.
 */
export const numberOf = (text: string): number | string => (isExact(text) ? Number(text) : text);

/** Returns whether a number converts back to the same text, except for zeros. */
export function isExact(text: string): boolean {
  if (text.length > longestNumber) return false;
  const digits = significant(text);
  return digits !== undefined && digits === significant(String(Number(text)));
}

/** Returns the digits of a number without surrounding zeros, and the exponent of the last digit. */
function significant(text: string): string | undefined {
  const [all, sign = '', whole = '', decimals = '', exponent = '0'] = written.exec(text) ?? [];
  if (all === undefined) return undefined;
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  return bare === '' ? '0' : `${sign === '-' ? '-' : ''}${bare}e${Number(exponent) - decimals.length + digits.length - bare.length}`;
}
