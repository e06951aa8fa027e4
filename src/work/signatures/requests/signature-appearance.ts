import type { FieldError } from '../../../platform/problems.ts';
import { maxOfDrawing } from './drawings.ts';
import { signingProblems } from './problems.ts';
import type { Sign } from './public-schemas.ts';
import type { FieldRow } from './queries.ts';
import { cutText, isPrintable, normalText } from '../../../platform/text.ts';

/** How somebody has signed, as it is kept. */
export type Mark = { kind: 'typed' | 'drawn' | 'confirmed'; text: string | null; png: Buffer | null };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The drawing that was sent, as far as it can be one. */
export function drawingOf(given: Sign['signature']): Buffer | undefined {
  if (given?.kind !== 'drawn') return undefined;
  const base64 = (given.data ?? '').replace(/^data:image\/png;base64,/, '');
  const png = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0);
  return isDrawing(png) ? png : undefined;
}

/** The signature that was sent; `png`: what was drawn, made anew. Errors: 422 `signature_image_invalid`. */
export function markOf(given: Sign['signature'], name: string, png: Buffer | undefined): Mark {
  if (given === undefined) return { kind: 'confirmed', text: null, png: null };
  if (given.kind === 'typed') {
    const text = cutText(normalText(given.data ?? name).trim(), 255) || name;
    // What is drawn must be what the evidence says.
    if (!isPrintable(text))
      throw signingProblems.signature_image_invalid('`signature.data` must not contain control characters, or others that nobody sees.', {
        errors: [{ name: 'data', pointer: '/signature/data', reason: 'is not as it looks', rule: 'name' }],
      });
    return { kind: 'typed', text, png: null };
  }
  if (png === undefined || !isDrawing(png))
    throw signingProblems.signature_image_invalid(
      '`signature.data` must be a PNG of at most 200 KB and 1000 × 400 pixels, as base64 or as a data URL. It must be visible on white paper.',
      {
        errors: [{ name: 'data', pointer: '/signature/data', reason: 'is no PNG that is taken', rule: 'png' }],
      },
    );
  return { kind: 'drawn', text: null, png };
}

/** Whether it is a PNG of a size that is taken (ISO/IEC 15948, 5.2 and 11.2.2). Whether it can be drawn is known when it was. */
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

/** Letters so small that they are still read on paper, in points: half as wide as they are high, and lines of a little more. */
const smallest = 4;
const maxInitials = 20;
/** Characters that a text may have however small its box is, and however large. */
const [least, most] = [20, 1_000];

/** Characters that a field takes as text; nothing where it takes none. A long text goes on in further lines, as small as can be read. */
export function roomOf({ kind, width, height }: Pick<FieldRow, 'kind' | 'width' | 'height'>): number | undefined {
  if (kind === 'initials') return maxInitials;
  if (kind !== 'text') return undefined;
  const lines = Math.max(1, Math.floor(height / (smallest * 1.3)));
  return Math.min(most, Math.max(least, Math.floor(width / (smallest * 0.55)) * lines));
}

/**
 * The values of somebody's own fields as they are kept. Dates are the service's, names and signatures are those that were sent. Errors: 422
 * `fields_invalid`.
 */
export function fillFields(own: readonly FieldRow[], given: NonNullable<Sign['fields']>): Record<string, string | boolean> {
  const errors: FieldError[] = [];
  const refuse = (id: string, reason: string, rule: string) => errors.push({ name: id, pointer: `/fields/${id}`, reason, rule });
  for (const id of Object.keys(given)) if (!own.some((field) => field.id === id)) refuse(id, 'is no field of yours', 'field');
  const filled: Record<string, string | boolean> = {};
  for (const field of own) {
    const { id, kind, required } = field;
    const value = Object.hasOwn(given, id) ? given[id] : undefined;
    if (kind === 'checkbox') {
      if (value !== undefined && typeof value !== 'boolean') refuse(id, 'must be true or false', 'type');
      else if (required && value !== true) refuse(id, 'must be ticked', 'required');
      else filled[id] = value === true;
      continue;
    }
    const length = roomOf(field);
    if (length === undefined) continue;
    const text = typeof value === 'string' ? normalText(value).trim() : '';
    if (value !== undefined && typeof value !== 'string') refuse(id, 'must be text', 'type');
    else if (Array.from(text).length > length) refuse(id, `must have at most ${length} characters`, 'maxLength');
    else if (!isPrintable(text.replaceAll('\n', ''))) refuse(id, 'must not contain control characters, or others that nobody sees', 'text');
    // Initials follow from the name where none are given.
    else if (required && text === '' && kind === 'text') refuse(id, 'must be filled', 'required');
    else if (text !== '') filled[id] = text;
  }
  if (errors.length > 0)
    throw signingProblems.fields_invalid('Some fields are not filled as they must be. `errors` names each.', { errors });
  return filled;
}
