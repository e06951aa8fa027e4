import { createHash } from 'node:crypto';

/** Serializes a JSON value in the canonical form of RFC 8785: sorted members, no spaces, numbers as ECMAScript writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** Returns the SHA-256 of a JSON value in hexadecimal. The order of its members does not matter. */
export const hashOfJson = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
