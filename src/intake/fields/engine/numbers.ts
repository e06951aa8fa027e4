/** Digits that a double holds whatever they are (IEEE 754, binary64): of longer numbers some are kept, and some are not. */
export const exactDigits = 15;

const written = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Longer than the smallest double is, written out. */
const longestNumber = 400;

/** Whether a text is a number as JSON has it, or with a plus. */
export const isNumber = (text: string): boolean => written.test(text);

/**
 * A number as it is written; one of which not all digits would be kept stays the text it is, for the rules to name. An account number
 * whose last digits became others would be worse than a refusal.
 */
export const numberOf = (text: string): number | string => (isExact(text) ? Number(text) : text);

/** Whether a number that was read from a text is written as that text again, zeros apart. */
export function isExact(text: string): boolean {
  if (text.length > longestNumber) return false;
  const digits = significant(text);
  return digits !== undefined && digits === significant(String(Number(text)));
}

/** The digits of a number without the zeros around them, and the power of ten that the last of them stands for. */
function significant(text: string): string | undefined {
  const [all, sign = '', whole = '', decimals = '', exponent = '0'] = written.exec(text) ?? [];
  if (all === undefined) return undefined;
  const digits = `${whole}${decimals}`.replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  return bare === '' ? '0' : `${sign === '-' ? '-' : ''}${bare}e${Number(exponent) - decimals.length + digits.length - bare.length}`;
}
