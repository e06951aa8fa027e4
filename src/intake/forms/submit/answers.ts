import { type Answers, type Breach, checkAnswers, definitionLimits, localesOf } from '#fields';
import { unknownNames } from '../../../platform/http/known-members.ts';
import { type FieldError, problems } from '../../../platform/problems.ts';
import type { Definition } from '../schemas.ts';
import { submissionProblems } from './problems.ts';

/** The id of an invisible field that only bots fill in. No form field has this id. */
export const honeypot = '_website';

/** Validated answers. `caught` is true if the honeypot field was filled in. */
export type AcceptedAnswers = { values: Answers; caught: boolean };

/** Returns an error for each answer without a field. `beside` has the names of other members that the form accepts. */
export const unknownAnswers = ({ fields }: Pick<Definition, 'fields'>, data: object, beside: readonly string[] = []): FieldError[] =>
  unknownNames(data, [...fields.map(({ id }) => id), ...beside], ['data']);

/** Rejects answers without a field. Throws 422 `submission_invalid`. */
export function refuseUnknownAnswers(definition: Pick<Definition, 'fields'>, data: object, beside: readonly string[]): void {
  const errors = unknownAnswers(definition, data, beside);
  if (errors.length > 0) throw invalidAnswers(errors, '; ');
}

/** Validates answers. Throws 413, and 422 `submission_invalid` with a pointer for each error. Its texts are those of `reasonOf`, or in the language of the page. */
export async function takeAnswers(
  { fields, publicSettings }: Definition,
  data: Record<string, unknown>,
  { locale, team, reasonOf }: { locale: string; team: string; reasonOf?: ((breach: Breach) => string) | undefined },
): Promise<AcceptedAnswers> {
  if (Buffer.byteLength(JSON.stringify(data)) > definitionLimits.dataBytes)
    throw problems.payload_too_large(
      `The answers are larger than ${definitionLimits.dataBytes / 1024} KiB. Send less, and upload files separately.`,
    );
  const { values, errors } = await checkAnswers(fields, data, {
    team,
    locale,
    reasonOf,
    defaultLocale: localesOf({ publicSettings })[0],
  });
  if (typeof data[honeypot] === 'string' && data[honeypot] !== '') return { values, caught: true };
  if (errors.length > 0) throw invalidAnswers(errors, reasonOf ? '; ' : ' ');
  return { values, caught: false };
}

function invalidAnswers(errors: FieldError[], separator: '; ' | ' ') {
  const named = errors.slice(0, 20).map(({ pointer, reason }) => `${pointer}: ${reason}`);
  const text = named.join(separator);
  // The texts for people are sentences.
  const end = separator === '; ' && !text.endsWith('?') ? '.' : '';
  return submissionProblems.submission_invalid(`Some answers are invalid. ${text}${end}`, { errors });
}
