import { randomUUIDv7 } from 'node:crypto';
import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of approval policies for the walks. */

const policies = '/api/v1/approval-policies';
const rules = { rules: [{ id: 'else', need: [{ count: 1, from: ['role:owner', 'role:admin'] }] }] };
/** A policy with one rule. */
export const policyBody = () => ({ name: `policy-${randomUUIDv7()}`, ...rules });
const persons = 'y y y · · · y · y y 403 403';
const managers = 'y y 403 · · · 403 · 403 403 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const approvalPolicyAccess = rows(policies, {
  'GET /': thing('approvalPolicy', 's s s · · · s · s s 403 403'),
  'POST /': thing('approvalPolicy', managers, policyBody),
  'GET /{name}': thing('approvalPolicy', persons),
  'PUT /{name}': thing('approvalPolicy', managers, () => ({ ...rules, onRejection: 'quorum' })),
  'DELETE /{name}': thing('approvalPolicy', managers),
  'GET /{name}/versions': thing('approvalPolicy', persons),
  'POST /{name}/try': thing('approvalPolicy', persons, () => ({})),
});

const policy = (world: ActWorld) => world.made('POST', `${policies}/`, policyBody());
const at = ({ name }: { name: string }) => `${policies}/${name}`;
export const approvalPolicyActs: Acts = {
  [`POST ${policies}/`]: alone('POST', `${policies}/`, policyBody(), 'approval_policy.created'),
  [`PUT ${policies}/{name}`]: on(policy, 'PUT', at, () => ({ ...rules, onRejection: 'quorum' }), 'approval_policy.updated'),
  [`DELETE ${policies}/{name}`]: on(policy, 'DELETE', at, undefined, 'approval_policy.deleted'),
};
