import { createHash } from 'node:crypto';
import { pictureOf } from '#forms';
import { type FieldError, problems } from '../../platform/problems.ts';
import type { KeptFile } from './queries.ts';
import { most, type SentFile } from './schemas.ts';

/** A picture of a template, reduced to the image data: without metadata and bytes after its end. */
export type NewFile = KeptFile & { content: Buffer };

/**
 * The new list of a template’s files: files in the request, and stored files that the request names without content. `added` has only the files in
 * the request.
 */
export type Files = { files: KeptFile[]; added: NewFile[] };

/** Reads the sent pictures. Errors: 400 with an error for each that is invalid, too large or named twice. */
export function readFiles(sent: readonly SentFile[], kept: readonly KeptFile[]): Files {
  const errors: FieldError[] = [];
  const wrong = (at: number, member: string, reason: string, rule: string) =>
    errors.push({ name: `files.${at}.${member}`, pointer: `/files/${at}/${member}`, reason, rule });
  const files: KeptFile[] = [];
  const added: NewFile[] = [];
  for (const [at, { path, content }] of sent.entries()) {
    if (files.some((file) => file.path.toLowerCase() === path.toLowerCase()) || path.toLowerCase() === 'main.typ')
      wrong(at, 'path', 'is the path of another file of the template', 'unique');
    const found = content === undefined ? kept.find((file) => file.path === path) : pictureAt(path, content);
    if (!found)
      wrong(
        at,
        'content',
        content === undefined
          ? 'is required: the template has no picture with this path'
          : 'must be a PNG or JPEG of up to 1 MiB in base64',
        'picture',
      );
    else files.push(found);
    if (found && isNew(found)) added.push(found);
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > most.pictures)
    errors.push({ name: 'files', pointer: '/files', reason: 'must have at most 2 MiB in all', rule: 'size' });
  if (errors.length > 0)
    throw problems.validation_failed('The pictures of the template are invalid. Correct the files in `errors`.', { errors });
  return { files, added };
}

const isNew = (file: KeptFile | NewFile): file is NewFile => 'content' in file;

/** Matches base64 with spaces. Each run of spaces can match only one part of the pattern; otherwise a long run would take quadratic time. */
const inBase64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

function pictureAt(path: string, base64: string): NewFile | undefined {
  if (!inBase64.test(base64)) return undefined;
  const picture = pictureOf(Buffer.from(base64, 'base64'));
  if (!picture || picture.bytes.length > most.picture) return undefined;
  const { bytes: content, mediaType } = picture;
  return { path, mediaType, size: content.length, sha256: createHash('sha256').update(content).digest('hex'), content };
}
