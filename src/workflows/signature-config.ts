import type { StepInput } from './schemas.ts';
import { type Fault, fault, pointerPart } from './step-faults.ts';

type Config = Readonly<Record<string, unknown>>;
/** Somebody whom a signature step asks by their address. */
export type Asked = { email: string; name: string; order?: number; role?: 'signer' | 'approver' | 'copy'; signsAs?: string };

const members = ['signers', 'request', 'inTurn', 'message', 'requireCode', 'expiresInDays'];
const signerMembers = ['email', 'name', 'order', 'role', 'signsAs'];
const mostSigners = 20;
const mostDays = 365;

/** Whether a signature step makes a request and waits for it; without that somebody records a signature given elsewhere. */
export const asksToSign = ({ type, config }: { type: string; config: Config }): boolean =>
  type === 'signature' && (config.signers !== undefined || config.request === true);

/** Whom it asks by their address; nothing where it asks its assignees. */
export const signersNamed = ({ signers }: Config): readonly Asked[] | undefined =>
  Array.isArray(signers) ? (signers as Asked[]) : undefined;

/** What is wrong with the settings by which a signature step makes a request. */
export function signatureFaults(step: StepInput, config: Config): Fault[] {
  const given = members.filter((member) => config[member] !== undefined);
  if (given.length === 0) return [];
  if (step.type !== 'signature') return given.map((member) => fault(`config/${member}`, 'belongs to a step of type signature'));
  const { signers, request, inTurn, message, requireCode, expiresInDays: days } = config;
  if (signers === undefined && request !== true)
    return given.map((member) => fault(`config/${member}`, 'belongs to a step with `signers` or `request: true`'));
  return [
    ...(signers !== undefined && request !== undefined
      ? [fault('config/request', 'cannot be given beside signers: it asks the assignees', 'oneOf')]
      : []),
    ...(signers === undefined ? [] : signerFaults(signers)),
    ...(signers === undefined || (step.assignees === undefined && step.assignedTo === undefined)
      ? []
      : [fault('config/signers', 'cannot be given beside assignees: ask these with `request: true`', 'oneOf')]),
    ...[inTurn, requireCode].flatMap((value, at) =>
      value === undefined || typeof value === 'boolean'
        ? []
        : [fault(`config/${at === 0 ? 'inTurn' : 'requireCode'}`, 'must be true or false')],
    ),
    ...(message === undefined || (typeof message === 'string' && message.length <= 2_000)
      ? []
      : [fault('config/message', 'must be a text of at most 2000 characters')]),
    ...(days === undefined || (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= mostDays)
      ? []
      : [fault('config/expiresInDays', `must be a whole number from 1 to ${mostDays}`, 'range')]),
  ];
}

function signerFaults(signers: unknown): Fault[] {
  if (!Array.isArray(signers) || signers.length === 0 || signers.length > mostSigners)
    return [fault('config/signers', `must be 1 to ${mostSigners} people, each with \`email\` and \`name\``, 'maxItems')];
  return signers.flatMap((one: unknown, index) => {
    const at = `config/signers/${index}`;
    if (typeof one !== 'object' || one === null) return [fault(at, 'must have `email` and `name`')];
    const { email, name, order, role, signsAs } = one as Record<string, unknown>;
    return [
      ...Object.keys(one)
        .filter((member) => !signerMembers.includes(member))
        .map((member) => fault(`${at}/${pointerPart(member)}`, `is not known: a signer takes ${signerMembers.join(', ')}`)),
      ...(typeof email === 'string' && email.includes('@') && email.length <= 254
        ? []
        : [fault(`${at}/email`, 'must be an address', 'email')]),
      ...(typeof name === 'string' && name.trim() !== '' && name.length <= 255 ? [] : [fault(`${at}/name`, 'must be a name')]),
      ...(order === undefined || (typeof order === 'number' && Number.isInteger(order) && order >= 1 && order <= 1_000)
        ? []
        : [fault(`${at}/order`, 'must be a whole number from 1 to 1000', 'range')]),
      ...(role === undefined || ['signer', 'approver', 'copy'].some((known) => known === role)
        ? []
        : [fault(`${at}/role`, 'must be `signer`, `approver` or `copy`', 'enum')]),
      ...(signsAs === undefined || (typeof signsAs === 'string' && /^[\w-]{1,64}$/.test(signsAs))
        ? []
        : [fault(`${at}/signsAs`, 'must name a signer of the template of the document')]),
    ];
  });
}
