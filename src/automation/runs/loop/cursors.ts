import type { Box } from '../../../platform/crypto/secretbox.ts';
import { malformedCursor } from '../../../platform/http/page.ts';

/** Most cursors are as long as this when they are sealed, whatever they hold. */
const sealedLength = 160;

/**
 * Where a page of a list ends that an agent was told. What is kept from the agent is left out once the page was found, and the page may end with
 * that: neither the agent nor who reads its transcript is told which it was. Good for one list of one agent, which `boundTo` names.
 */
export const sealCursor = (places: Box, boundTo: string, cursor: string): string =>
  places.seal(cursor.padEnd(sealedLength), boundTo).toString('base64url');

/** The cursor of the list itself. Errors: 400 for one that was not told this agent for this list. */
export function openCursor(places: Box, boundTo: string, sealed: string): string {
  try {
    return places.open(Buffer.from(sealed, 'base64url'), boundTo).toString().trimEnd();
  } catch {
    throw malformedCursor();
  }
}
