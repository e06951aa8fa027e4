import type { LeafRow } from './tree/leaf.ts';

/** Formats a number as PostgreSQL formats the output of JSON.stringify: all digits, without an exponent. */
function plainDecimal(value: number): string {
  const [mantissa = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const sign = value < 0 ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Whether each number has the format that this service writes. Other formats, such as `7.0`, can give the same leaf as `7`. */
function writtenByUs(json: string): boolean {
  let ours = true;
  JSON.parse(json, ((_name: string, value: unknown, { source }: { source?: string }) => {
    if (typeof value === 'number' && source !== plainDecimal(value)) ours = false;
    return value;
  }) as never);
  return ours;
}

/**
 * Describes content of a row that the leaf does not cover and this service never writes; undefined if there is none. With it, verification detects
 * changes that do not change the leaf.
 */
export function unbound(row: LeafRow & { data_text: string }): string | undefined {
  if (row.record_version !== 1 && row.record_version !== 2) return 'an unknown version of the record';
  if (row.target_type === null && row.target_id !== null) return 'a target without its type';
  if ((row.ip === null) !== (row.ip_salt === null)) return 'an address without its salt, or a salt without an address';
  if (row.ip !== null && row.ip_digest !== null) return 'both an address and its digest';
  if (!writtenByUs(row.data_text)) return 'a number in another format';
  return undefined;
}
