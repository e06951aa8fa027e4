import { type Static, Type } from 'typebox';
import { closed, time } from '../../../platform/schema-parts.ts';
import { ruleMembers } from '../rules.ts';

const policyName = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,63}$',
  description: 'Lower-case letters, digits and `-`. It cannot change',
});
const version = Type.Integer({ description: 'The number of the version, from 1' });
const sha256 = Type.String({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the rules with their defaults' });
const rules = Type.Object(ruleMembers, { ...closed, title: 'ApprovalPolicyRules' });

export const nameParams = Type.Object({ name: Type.String({ description: 'The name of the policy' }) });
export const policyBody = Type.Object({ name: policyName, ...ruleMembers }, { ...closed, title: 'ApprovalPolicyRequest' });
export const policyChange = Type.Object(ruleMembers, { ...closed, title: 'ApprovalPolicyChange' });

export const warning = Type.Object(
  {
    pointer: Type.String({ description: 'A JSON pointer into the policy, or to an answer or parameter of a trial' }),
    reason: Type.String(),
    rule: Type.String({
      description:
        '`never`: the rule never applies. `unfilled`: its places cannot be filled today. `many`: too many members. `reference`: no condition names the answer, or no rule the parameter. `comparison`: the condition cannot compare it',
    }),
  },
  { ...closed, title: 'ApprovalPolicyWarning' },
);
const warnings = (when = '') =>
  Type.Array(warning, { description: `Rules that never apply, or whose places cannot be filled today${when}` });

const stored = {
  version,
  sha256,
  ...ruleMembers,
  createdBy: Type.String({ description: 'The author' }),
  createdByType: Type.Literal('user'),
  createdAt: time,
};
export const policy = Type.Object(
  {
    name: policyName,
    ...stored,
    updatedAt: time,
    warnings: Type.Optional(warnings('. Only in the response to a change')),
  },
  { ...closed, title: 'ApprovalPolicy' },
);
export const policyVersion = Type.Object(stored, { ...closed, title: 'ApprovalPolicyVersion' });

const person = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));
export const tryBody = Type.Object(
  {
    answers: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
        maxProperties: 200,
        description: 'The answers that the conditions name, by field',
      }),
    ),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: 50 }), Type.String({ format: 'uuid' }), {
        maxProperties: 50,
        description: 'The people for `parameter:<name>` in the rules, by name',
      }),
    ),
    documentId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The document of the decision. Its uploader and its barrier count' }),
    ),
    creatorId: person('The creator of the workflow'),
    submitterId: person('The submitter of a form of the workflow'),
    requesterId: person('The owner of the workflow, or the requester of a tool call'),
    rules: Type.Optional({ ...rules, description: 'Rules to try instead of the stored ones' }),
  },
  { ...closed, title: 'ApprovalPolicyTrial' },
);
export type TryBody = Static<typeof tryBody>;

export const trial = Type.Object(
  {
    rule: Type.Optional(Type.String({ description: 'The rule that applies. Absent if the decision would fail' })),
    missing: Type.Array(Type.String(), { description: 'The fields whose missing answers decide' }),
    candidates: Type.Array(
      Type.Object(
        { userId: Type.String(), needs: Type.Array(Type.Integer(), { description: 'The indexes of the needs that the member can fill' }) },
        closed,
      ),
      { description: 'The members who would decide' },
    ),
    excluded: Type.Array(Type.Object({ userId: Type.String(), reason: Type.String() }, closed), {
      description: 'The people whom `exclude` keeps from the decision, each with the reason',
    }),
    places: Type.Array(
      Type.Object(
        {
          count: Type.Integer({ description: 'The number of places' }),
          from: Type.Array(Type.String(), { description: 'The people who can fill them' }),
          empty: Type.Integer({ description: 'Places that no candidate can fill, beside those of the other needs' }),
        },
        closed,
      ),
      { description: 'The needs of the rule' },
    ),
    canBeFilled: Type.Boolean({ description: 'Whether the decision can be approved' }),
    warnings: warnings(', and answers without effect'),
  },
  { ...closed, title: 'ApprovalPolicyTrialResult' },
);

export type PolicyBody = Static<typeof policyBody>;
export type PolicyChange = Static<typeof policyChange>;
export type Policy = Static<typeof policy>;
export type PolicyVersion = Static<typeof policyVersion>;
export type Trial = Static<typeof trial>;
export type Warning = Static<typeof warning>;
