import { type Answers, type Breach, checkAnswers, definitionLimits, localesOf } from '#fields';
import { problems } from '../../../platform/problems.ts';
import type { Definition } from '../schemas.ts';
import { submissionProblems } from './problems.ts';

/** The id of an invisible field that only bots fill in. No form field has this id. */
export const honeypot = '_website';

/** Validated answers. `caught` is true if the honeypot field was filled in. */
export type AcceptedAnswers = { values: Answers; caught: boolean };

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
  if (errors.length > 0)
    throw submissionProblems.submission_invalid(
      `Some answers are invalid. ${errors
        .slice(0, 20)
        .map(({ pointer, reason }) => `${pointer}: ${reason}`)
        .join(reasonOf ? '; ' : ' ')}${reasonOf ? '.' : ''}`,
      { errors },
    );
  return { values, caught: false };
}
