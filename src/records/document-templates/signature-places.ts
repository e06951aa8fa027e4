import { type FieldPlace, fieldPlaces } from '#signatures';
import { checkOf } from '../../platform/http/validators.ts';
import { type Typeset, TypesettingError } from '../../platform/typesetting/typesetter.ts';

/** The label of the metadata by which a template says where somebody signs. */
export const placesLabel = '<signature-field>';

const check = checkOf(fieldPlaces);

/**
 * Where a document that was set is signed, and by whom, as its template says. Throws a {@link TypesettingError} of the template where that
 * cannot be read.
 */
export function placesOf({ found = [] }: Typeset): FieldPlace[] {
  const [wrong] = check(found) ?? [];
  if (wrong === undefined) return found as FieldPlace[];
  const message = `${placesLabel}${wrong.instancePath}: ${wrong.message ?? 'is wrong'}; each has signer, kind, page, x, y, width and height, in points`;
  throw new TypesettingError('template', message, [{ message }]);
}
