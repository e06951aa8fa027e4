import type { StepInput } from './schemas.ts';
import { type Fault, fault } from './step-faults.ts';

type Config = Readonly<Record<string, unknown>>;
/** Somebody whom a signature step asks by their address. */
export type Asked = { email: string; name: string; order?: number; role?: 'signer' | 'approver' | 'copy'; signsAs?: string };

/** Members that only a step which makes a request takes. */
const members = ['request', 'inTurn', 'message', 'requireCode', 'expiresInDays'];

/** Whether a signature step makes a request and waits for it; without that somebody records a signature given elsewhere. */
export const asksToSign = ({ type, config }: { type: string; config: Config }): boolean =>
  type === 'signature' && (config.signers !== undefined || config.request === true);

/** Whom it asks by their address; nothing where it asks its assignees. */
export const signersNamed = ({ signers }: Config): readonly Asked[] | undefined =>
  Array.isArray(signers) ? (signers as Asked[]) : undefined;

/** Returns the errors in the request settings of a signature step. The settings fit their schema. */
export function signatureFaults(step: StepInput, config: Config): Fault[] {
  const { signers, request } = config;
  const given = members.filter((member) => config[member] !== undefined);
  if (signers === undefined && request !== true)
    return given.map((member) => fault(`config/${member}`, 'belongs to a step with `signers` or `request: true`'));
  return [
    ...(signers !== undefined && request !== undefined
      ? [fault('config/request', 'cannot be given beside signers: it asks the assignees', 'oneOf')]
      : []),
    ...(signers === undefined || (step.assignees === undefined && step.assignedTo === undefined)
      ? []
      : [fault('config/signers', 'cannot be given beside assignees: ask these with `request: true`', 'oneOf')]),
  ];
}
