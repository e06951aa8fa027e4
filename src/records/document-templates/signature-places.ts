import { type FieldPlace, fieldPlaces } from '#signatures';
import { checkOf } from '../../platform/http/validators.ts';
import { type Typeset, TypesettingError } from '../../platform/typesetting/typesetter.ts';

/** The label of the metadata with which a template declares its signature fields. */
export const placesLabel = '<signature-field>';

const check = checkOf(fieldPlaces);

/** Returns the signature fields of a rendered document. Throws a {@link TypesettingError} of the template if they are invalid. */
export function placesOf({ found = [] }: Typeset): FieldPlace[] {
  const [wrong] = check(found) ?? [];
  if (wrong === undefined) return found as FieldPlace[];
  const message = `${placesLabel}${wrong.instancePath}: ${wrong.message ?? 'is invalid'}; each needs signer, kind, page, x, y, width and height, in points`;
  throw new TypesettingError('template', message, [{ message }]);
}
