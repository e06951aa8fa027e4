import { createHash } from 'node:crypto';

/** Returns the digest of the concatenated parts. */
export function hashOf(digest: string, parts: readonly Uint8Array[]): Buffer {
  const sum = createHash(digest);
  for (const part of parts) sum.update(part);
  return sum.digest();
}
