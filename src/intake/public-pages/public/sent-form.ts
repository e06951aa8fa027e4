import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { turnFor } from '../../../platform/http/large-bodies.ts';
import type { App } from '../../../platform/http/server.ts';
import { fieldText, isBrokenMultipart, requireNamed } from '../../../platform/http/uploads.ts';
import { problems } from '../../../platform/problems.ts';
import type { Entries } from './form/sent.ts';

/** Maximum bytes of a form. Answers have at most 64 KiB as JSON. In a browser form each letter can take nine bytes, and the form has other values. */
const maxBytes = 1024 * 1024;
const maxParts = 4_000;

/** Accepts browser forms in this scope. */
export async function acceptForms(pages: App, maxFileBytes: number): Promise<void> {
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    async (request: FastifyRequest, text: string) => {
      requireFewPairs(text);
      await turnFor(request, text.length);
      return new URLSearchParams(text);
    },
  );
  const limits = { files: 20, fields: maxParts, parts: maxParts, fieldNameSize: 200, fieldSize: 64 * 1024, fileSize: maxFileBytes + 1 };
  await pages.register(multipart, { limits });
}

/**
 * Reads a sent form as pairs of names and texts. Files are passed to `take` one at a time as they arrive. Fields that precede a file in the page have
 * been read by then.
 */
export async function readForm(request: FastifyRequest, take: (file: MultipartFile, before: Entries) => Promise<void>): Promise<Entries> {
  if (!request.isMultipart()) return plainForm(request.body);
  const entries: [string, string][] = [];
  const room = { left: maxBytes };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        requireNamed(part);
        request.server.reservePart(request, part.fieldname.length + fieldText(part.value).length);
        entries.push(fieldOf(part, room));
      } else if (part.filename === '') part.file.resume();
      else await take(part, entries);
    }
  } catch (error) {
    // Discards the rest of the body, because a browser that is still sending cannot read the response.
    request.raw.unpipe();
    request.raw.resume();
    throw isBroken(error) ? problems.bad_request('The form is incomplete. Send it again.') : error;
  }
  await turnFor(request, maxBytes - room.left);
  return entries;
}

/** Counts the pairs before they are created, because an empty pair takes a hundred times its size in the body. Throws 413. */
function requireFewPairs(text: string): void {
  let pairs = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) pairs += 1;
  if (pairs > maxParts) throw problems.payload_too_large(`The form has more than ${maxParts} fields. Use fewer fields.`);
}

function fieldOf(part: { fieldname: string; value: unknown; valueTruncated: boolean }, room: { left: number }): [string, string] {
  const text = fieldText(part.value);
  room.left -= part.fieldname.length + text.length;
  if (part.valueTruncated || room.left < 0) throw problems.payload_too_large('The answers together are too long. Shorten them.');
  return [part.fieldname, text];
}

function plainForm(body: unknown): Entries {
  if (body === undefined) return [];
  if (body instanceof URLSearchParams) return [...body];
  throw problems.unsupported_media_type('Pages accept only forms from browsers. API clients use the API.');
}

const isBroken = (error: unknown) => error instanceof Error && !('status' in error) && ('code' in error || isBrokenMultipart(error));
