import { type FieldPlace, fieldPlaces } from '#signatures';
import { Value } from 'typebox/value';
import { type Typeset, TypesettingError } from '../platform/typesetting/typesetter.ts';

/** The label of the metadata by which a template says where somebody signs. */
export const placesLabel = '<signature-field>';

/**
 * Where a document that was set is signed, and by whom, as its template says. Throws a {@link TypesettingError} of the template where that
 * cannot be read.
 */
export function placesOf({ found = [] }: Typeset): FieldPlace[] {
  if (Value.Check(fieldPlaces, found)) return found;
  const [wrong] = Value.Errors(fieldPlaces, found);
  const at = wrong?.instancePath ?? '';
  const message = `${placesLabel}${at}: ${wrong?.message ?? 'is wrong'}; each has signer, kind, page, x, y, width and height, in points`;
  throw new TypesettingError('template', message, [{ message }]);
}
