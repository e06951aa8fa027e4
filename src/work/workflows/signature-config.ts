import { localeError } from '#signatures';
import type { StepInput } from './schemas.ts';
import { type StepError, stepError } from './step-errors.ts';

type Config = Readonly<Record<string, unknown>>;
/** A signer named by email address in a signature step. */
export type StepSigner = {
  email: string;
  name: string;
  order?: number;
  role?: 'signer' | 'approver' | 'copy';
  signsAs?: string | string[];
  locale?: string;
};

/** Members that only a step with a signature request accepts. */
const members = ['request', 'inTurn', 'message', 'requireCode', 'expiresInDays', 'locale', 'documents'];

/** Whether a signature step creates a signature request and waits for it. Otherwise its assignee records a signature given elsewhere. */
export const asksToSign = ({ type, config }: { type: string; config: Config }): boolean =>
  type === 'signature' && (config.signers !== undefined || config.request === true);

/** Returns the signers named by email address; undefined if the assignees sign. */
export const signersNamed = ({ signers }: Config): readonly StepSigner[] | undefined =>
  Array.isArray(signers) ? (signers as StepSigner[]) : undefined;

/** Returns the errors in the request settings of a signature step. The settings fit their schema. */
export function signatureErrors(step: StepInput, config: Config): StepError[] {
  const { signers, request } = config;
  const given = members.filter((member) => config[member] !== undefined);
  if (signers === undefined && request !== true)
    return given.map((member) => stepError(`config/${member}`, 'belongs to a step with `signers` or `request: true`'));
  const count = Array.isArray(config.documents) ? config.documents.length : 1;
  return [
    ...(signersNamed(config) ?? []).flatMap(({ signsAs }, at) =>
      typeof signsAs !== 'object' || signsAs.length === count
        ? []
        : [
            stepError(
              `config/signers/${at}/signsAs`,
              `must have a name or an empty text for each document of the step, which has ${count}`,
              'items',
            ),
          ],
    ),
    ...(config.document !== undefined && config.documents !== undefined
      ? [stepError('config/documents', 'cannot be combined with document', 'oneOf')]
      : []),
    ...(signers !== undefined && request !== undefined
      ? [stepError('config/request', 'cannot be combined with signers: it requests signatures from the assignees', 'oneOf')]
      : []),
    ...(signers === undefined || (step.assignees === undefined && step.assignedTo === undefined)
      ? []
      : [stepError('config/signers', 'cannot be combined with assignees: use `request: true` to request their signatures', 'oneOf')]),
  ];
}

/** Returns the errors of languages without texts. Stored steps keep such a language, and their requests use English. */
export function localeErrors(config: Config): StepError[] {
  const wrong = (locale: unknown, member: string) => {
    const reason = typeof locale === 'string' ? localeError(locale) : undefined;
    return reason === undefined ? [] : [stepError(member, reason, 'locale')];
  };
  return [
    ...wrong(config.locale, 'config/locale'),
    ...(signersNamed(config) ?? []).flatMap(({ locale }, at) => wrong(locale, `config/signers/${at}/locale`)),
  ];
}
