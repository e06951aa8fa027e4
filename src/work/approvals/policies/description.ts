import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const given = {
  rules: [
    {
      id: 'large',
      when: { field: 'facts/amount', gt: { amount: '50000', currency: 'EUR' } },
      need: [
        { count: 2, from: ['group:019aa0de-7c1f-7d63-9d57-0b7c0d5e3f31'] },
        { count: 1, from: ['role:owner'] },
      ],
    },
    { id: 'else', need: [{ count: 1, from: ['role:admin', 'role:owner'] }] },
  ],
  expiresInHours: 168,
};
const stored = {
  version: 1,
  sha256: desk.sha256,
  ...given,
  exclude: ['creator', 'uploader', 'submitter'],
  onMissing: 'refuse',
  onRejection: 'first',
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
};
const policy = { name: 'contract-authority', ...stored, updatedAt: desk.monday };
const notFound = ['approval_policy_not_found'];
const invalid = ['approval_policy_invalid', 'assignee_not_found', 'group_not_found', 'too_many_candidates'];

export const policyDescription: DomainText = {
  operations: {
    listApprovalPolicies: {
      text: 'Lists the approval policies of the team, by name. All members of the team may list them.',
      answer: [policy],
    },
    createApprovalPolicy: {
      text: 'Creates a policy. The first rule whose condition holds applies. Each person fills one place of one need. `exclude` keeps the creator of the workflow, the uploader of the version and submitters from the decision unless it says otherwise. `warnings` names rules that never apply and places that cannot be filled today. A team has at most 200 policies. For the owner and administrators.',
      records: ['approval_policy.created'],
      problems: ['approval_policy_exists', 'approval_policy_limit', ...invalid],
      body: { name: 'contract-authority', ...given },
      answer: policy,
    },
    getApprovalPolicy: {
      text: 'Shows the current rules of a policy, with the defaults of omitted members. All members of the team may read it.',
      problems: notFound,
      answer: policy,
    },
    updateApprovalPolicy: {
      text: 'Replaces the rules of a policy, as a new version. Omitted members return to their defaults. Equal rules change nothing. Open rounds keep their rules. For the owner and administrators.',
      records: ['approval_policy.updated'],
      problems: [...notFound, ...invalid],
      body: { ...given, onRejection: 'quorum' },
      answer: { ...policy, version: 2, onRejection: 'quorum', updatedAt: desk.tuesday },
    },
    deleteApprovalPolicy: {
      text: 'Deletes a policy that no template, unfinished workflow or agent names. Its versions stay: a later policy of this name continues their numbers. For the owner and administrators.',
      records: ['approval_policy.deleted'],
      problems: [...notFound, 'policy_in_use'],
    },
    tryApprovalPolicy: {
      text: 'Shows the rule for the given answers, its candidates, the excluded members and the empty places. `rules` tries other rules than the stored ones. Stores nothing.',
      problems: [...notFound, 'approval_policy_invalid'],
      body: { answers: { 'facts/amount': { amount: '20000', currency: 'EUR' } }, creatorId: desk.olivia.id },
      answer: {
        rule: 'else',
        missing: [],
        candidates: [{ userId: desk.marcus.id, needs: [0] }],
        excluded: [{ userId: desk.olivia.id, reason: 'creator' }],
        places: [{ count: 1, from: ['role:admin', 'role:owner'], empty: 0 }],
        canBeFilled: true,
        warnings: [],
      },
    },
    listApprovalPolicyVersions: {
      text: 'Lists the versions of a policy, the newest first. Chancery keeps the newest 1 000.',
      problems: notFound,
      answer: [stored],
    },
  },
};
