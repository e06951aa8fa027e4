import type { Box } from '../../../platform/crypto/secretbox.ts';
import { malformedCursor } from '../../../platform/http/page.ts';

/** The length to which cursors are padded, so that most encrypted cursors have the same length. */
const sealedLength = 160;

/**
 * Encrypts the cursor of a list page for an agent. Chancery removes hidden rows only after it reads a page, so the cursor may name a hidden row.
 * Encryption keeps that row from the agent and the readers of its transcript. `boundTo` names the one agent and list for which the cursor is valid.
 */
export const sealCursor = (places: Box, boundTo: string, cursor: string): string =>
  places.seal(cursor.padEnd(sealedLength), boundTo).toString('base64url');

/** Returns the original cursor of the list. Throws 400 for a cursor of another agent or list. */
export function openCursor(places: Box, boundTo: string, sealed: string): string {
  try {
    return places.open(Buffer.from(sealed, 'base64url'), boundTo).toString().trimEnd();
  } catch {
    throw malformedCursor();
  }
}
