import { createHash } from 'node:crypto';

/** A JSON value in the one spelling of RFC 8785: members in order, no spaces, numbers as ECMAScript writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** The SHA-256 of a JSON value, whatever order its members came in, in hexadecimal. */
export const hashOfJson = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
