import { cutText } from '../text.ts';
import type { Rejection } from './undeliverable-queries.ts';

/** Maximum number of characters that are read: some lines of a response. */
const maxRead = 2_000;
const enhanced = /\b[45]\.\d{1,3}\.\d{1,3}\b/;

/**
 * Returns the rejection that a mail server reported. Without an enhanced status code it is `5.0.0`, an undefined permanent failure. Email addresses
 * are removed from the text, because it is stored in the audit journal.
 */
export function rejectionOf(text: string, status?: string): Rejection {
  // Replacing takes time with the square of the length.
  const shown = text
    .slice(0, maxRead)
    .replaceAll(/<?[^\s<>]*@[^\s<>]*>?/g, '…')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return { status: enhanced.exec(status ?? text)?.[0] ?? '5.0.0', diagnostic: cutText(shown, 300) };
}
