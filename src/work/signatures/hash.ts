import { createHash } from 'node:crypto';

/** The digest of some bytes, which may be in pieces. */
export function hashOf(digest: string, parts: readonly Uint8Array[]): Buffer {
  const sum = createHash(digest);
  for (const part of parts) sum.update(part);
  return sum.digest();
}
