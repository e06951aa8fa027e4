import type { StepInput } from './schemas.ts';
import { type StepError, stepError } from './step-errors.ts';

type Config = Readonly<Record<string, unknown>>;
/** A signer named by email address in a signature step. */
export type StepSigner = {
  email: string;
  name: string;
  order?: number;
  role?: 'signer' | 'approver' | 'copy';
  signsAs?: string;
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
  return [
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
