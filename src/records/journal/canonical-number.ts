import type { LeafRow } from './tree/leaf.ts';

/** A number as PostgreSQL writes what JSON.stringify made of it: all its digits and no exponent. */
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

/** Whether each number is written as this service writes it: `7.0`, or digits past those of a double, make the same leaf as `7`. */
function writtenByUs(json: string): boolean {
  let ours = true;
  JSON.parse(json, ((_name: string, value: unknown, { source }: { source?: string }) => {
    if (typeof value === 'number' && source !== plainDecimal(value)) ours = false;
    return value;
  }) as never);
  return ours;
}

/**
 * What a row holds that its leaf does not commit to and this service never writes, in a few words; nothing where there is
 * none. With it a change that leaves the leaf as it was is seen all the same.
 */
export function unbound(row: LeafRow & { data_text: string }): string | undefined {
  if (row.target_type === null && row.target_id !== null) return 'a target without its type';
  if ((row.ip === null) !== (row.ip_salt === null)) return 'an address without its salt, or the salt alone';
  if (row.ip !== null && row.ip_digest !== null) return 'the digest of an address beside the address';
  if (!writtenByUs(row.data_text)) return 'a number that is written in another way';
  return undefined;
}
