import { unknownNames } from '../../../platform/http/known-members.ts';
import { maxOfDrawing } from './drawings.ts';
import { signingProblems } from './problems.ts';
import type { Sign } from './public-schemas.ts';
import type { FieldRow } from './queries.ts';
import { cutText, isPrintable, normalText } from '../../../platform/text.ts';

/** The stored appearance of a signature. */
export type Mark = { kind: 'typed' | 'drawn' | 'confirmed'; text: string | null; png: Buffer | null };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the uploaded drawing, or undefined if it is not a valid PNG. */
export function drawingOf(given: Sign['signature']): Buffer | undefined {
  if (given?.kind !== 'drawn') return undefined;
  const base64 = (given.data ?? '').replace(/^data:image\/png;base64,/, '');
  const png = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
  return isDrawing(png) ? png : undefined;
}

/** Returns the appearance of a signature. `png` is the redrawn drawing. Throws 422 `signature_image_invalid`. */
export function markOf(given: Sign['signature'], name: string, png: Buffer | undefined): Mark {
  if (given === undefined) return { kind: 'confirmed', text: null, png: null };
  if (given.kind === 'typed') {
    const text = cutText(normalText(given.data ?? name).trim(), 255) || name;
    // The drawn text must match the evidence, so invisible characters are rejected.
    if (!isPrintable(text))
      throw signingProblems.signature_image_invalid('`signature.data` must not contain control characters or invisible characters.', {
        errors: [{ name: 'data', pointer: '/signature/data', reason: 'must not contain control or invisible characters', rule: 'name' }],
      });
    return { kind: 'typed', text, png: null };
  }
  if (png === undefined || !isDrawing(png))
    throw signingProblems.signature_image_invalid(
      '`signature.data` must be a PNG of at most 200 KB and 1000 × 400 pixels, as base64 or as a data URL. It must be visible on white paper.',
      {
        errors: [
          { name: 'data', pointer: '/signature/data', reason: 'must be a PNG of at most 200 KB and 1000 × 400 pixels', rule: 'png' },
        ],
      },
    );
  return { kind: 'drawn', text: null, png };
}

/** Whether the bytes are a PNG of an accepted size (ISO/IEC 15948, 5.2 and 11.2.2). Only redrawing detects invalid image data. */
function isDrawing(png: Buffer): boolean {
  if (
    png.length < 33 ||
    png.length > maxOfDrawing.bytes ||
    !png.subarray(0, 8).equals(signature) ||
    png.toString('latin1', 12, 16) !== 'IHDR'
  )
    return false;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return width >= 1 && width <= maxOfDrawing.width && height >= 1 && height <= maxOfDrawing.height && png.includes('IEND', png.length - 12);
}

/** Minimum font size that is legible on paper, in points. Characters are about half as wide as high, and lines slightly higher than characters. */
const smallest = 4;
const maxInitials = 20;
/** The minimum number of characters that a text field must allow, and the maximum, independent of the size of the field. */
const [least, most] = [20, 1_000];

/**
 * Returns the maximum text length of a field, in characters, or undefined if it has no text input. Long text wraps to several lines at the minimum
 * font size.
 */
export function roomOf({ kind, width, height }: Pick<FieldRow, 'kind' | 'width' | 'height'>): number | undefined {
  if (kind === 'initials') return maxInitials;
  if (kind !== 'text') return undefined;
  const lines = Math.max(1, Math.floor(height / (smallest * 1.3)));
  return Math.min(most, Math.max(least, Math.floor(width / (smallest * 0.55)) * lines));
}

/**
 * Validates the values of a signer's own fields. Dates come from the service, and names and signatures from the request. Throws 422 `fields_invalid`.
 */
export function fillFields(own: readonly FieldRow[], given: NonNullable<Sign['fields']>): Record<string, string | boolean> {
  const errors = unknownNames(
    given,
    own.map(({ id }) => id),
    ['fields'],
  );
  const refuse = (id: string, reason: string, rule: string) => errors.push({ name: id, pointer: `/fields/${id}`, reason, rule });
  const filled: Record<string, string | boolean> = {};
  for (const field of own) {
    const { id, kind, required } = field;
    const value = Object.hasOwn(given, id) ? given[id] : undefined;
    if (kind === 'checkbox') {
      if (value !== undefined && typeof value !== 'boolean') refuse(id, 'must be true or false', 'type');
      else if (required && value !== true) refuse(id, 'must be checked', 'required');
      else filled[id] = value === true;
      continue;
    }
    const length = roomOf(field);
    if (length === undefined) continue;
    const text = typeof value === 'string' ? normalText(value).trim() : '';
    if (value !== undefined && typeof value !== 'string') refuse(id, 'must be text', 'type');
    else if (Array.from(text).length > length) refuse(id, `must have at most ${length} characters`, 'maxLength');
    else if (!isPrintable(text.replaceAll('\n', ''))) refuse(id, 'must not contain control characters or invisible characters', 'text');
    // Missing initials are derived from the name.
    else if (required && text === '' && kind === 'text') refuse(id, 'must be filled', 'required');
    else if (text !== '') filled[id] = text;
  }
  if (errors.length > 0) throw signingProblems.fields_invalid('Some fields are invalid. `errors` names each of them.', { errors });
  return filled;
}
