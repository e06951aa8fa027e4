import PostalMime from 'postal-mime';
import { rejectionOf } from '../../platform/mail/rejection.ts';
import type { Rejection } from '../../platform/mail/undeliverable-queries.ts';

/** The types of the part with the status of each recipient (RFC 3464 §2.1, RFC 6533 §3). */
const statusTypes = new Set(['message/delivery-status', 'message/global-delivery-status']);

/**
 * Reads a delivery status notification. Returns the failure that it reports; undefined for any other message, such as a report of a delay or an
 * automatic reply.
 */
export async function readReport(bytes: Uint8Array): Promise<Rejection | undefined> {
  const message = await PostalMime.parse(bytes, { maxNestingDepth: 8, maxHeadersSize: 64 * 1024 });
  const status = message.attachments.find(({ mimeType }) => statusTypes.has(mimeType));
  const failed = status && groupsOf(textOf(status.content)).find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  // The type of a diagnostic code, such as `smtp;`, precedes the text.
  return failed && rejectionOf((failed.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;/, ''), failed.get('status') ?? '');
}

const textOf = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** Returns the groups of fields in a status part. An empty line ends a group, and an indented line continues a field. */
function groupsOf(text: string): ReadonlyMap<string, string>[] {
  const groups = text.replaceAll('\r\n', '\n').split(/\n[ \t]*\n/);
  return groups.map((group) => {
    const lines = group.replaceAll(/\n[ \t]+/g, ' ').split('\n');
    return new Map(
      lines.flatMap((line) => {
        const colon = line.indexOf(':');
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
      }),
    );
  });
}
