import { createHash } from 'node:crypto';
import { pictureOf } from '#forms';
import { type FieldError, problems } from '../../platform/problems.ts';
import type { KeptFile } from './queries.ts';
import { most, type SentFile } from './schemas.ts';

/** A picture that came with a template, as what draws it alone: without notes of its maker and whatever stands behind its end. */
export type NewFile = KeptFile & { content: Buffer };

/** The files that a template will have: those that came, and of those that it has the ones that were named without content. */
export type Files = { files: KeptFile[]; added: NewFile[] };

/** Reads the pictures that came. Errors: 400 with each that is none, too large, or named twice. */
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
        content === undefined ? 'is required: the template has no picture of this path' : 'must be a PNG or JPEG of up to 1 MiB in base64',
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

/** Spaces belong to one part of it alone: a long run of them that two could share would be tried at each place where one may end. */
const inBase64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

function pictureAt(path: string, base64: string): NewFile | undefined {
  if (!inBase64.test(base64)) return undefined;
  const picture = pictureOf(Buffer.from(base64, 'base64'));
  if (!picture || picture.bytes.length > most.picture) return undefined;
  const { bytes: content, mediaType } = picture;
  return { path, mediaType, size: content.length, sha256: createHash('sha256').update(content).digest('hex'), content };
}
