import { hash } from 'node:crypto';

/** SHA-256 in hexadecimal. */
export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex');

/** A file of a pack with its bytes or its storage key. `version` is a version of the document `documentId`. */
export type PackPart = { path: string; size: number; sha256: string; documentId?: string; version?: number } & (
  | { bytes: Buffer }
  | { key: string }
);

/** Builds a file of a pack from a text. */
export function bytesOf(path: string, text: string): PackPart & { bytes: Buffer } {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, sha256: sha256Hex(bytes), bytes };
}
