import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { policyDescription } from './policies/description.ts';

const round = {
  id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f32',
  subject: { type: 'step', workflowId: desk.workflow, stepId: 'approval' },
  status: 'open',
  policy: { sha256: desk.sha256 },
  rule: 'large',
  inputDigest: desk.sha256,
  document: { id: desk.document, version: 1, sha256: desk.sha256 },
  documents: [{ id: desk.document, version: 1, sha256: desk.sha256 }],
  need: [
    { count: 1, from: ['role:owner'] },
    { count: 1, from: [`user:${desk.marcus.id}`] },
  ],
  exclude: ['creator', 'uploader', 'submitter'],
  onRejection: 'first',
  candidates: [
    { userId: desk.marcus.id, needs: [1], taskId: desk.approvalTask },
    { userId: desk.olivia.id, needs: [0], taskId: desk.reviewTask },
  ],
  votes: [{ userId: desk.marcus.id, taskId: desk.approvalTask, outcome: 'approved', votedBy: desk.marcus.id, votedAt: desk.wednesday }],
  expiresAt: desk.friday,
  createdAt: desk.tuesday,
  updatedAt: desk.wednesday,
};
const open = { ...round, votes: [], supersedes: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f33' };
const replacing = [
  'round_over',
  'excluded_from_round',
  'candidate_not_found',
  'assignee_not_found',
  'assignee_is_viewer',
  'outside_barrier',
];

export const description: DomainText = {
  operations: {
    ...policyDescription.operations,
    listApprovals: {
      text: 'Lists the approval rounds that the caller may see: those of workflows that they see, and those with their vote. Owner and administrators see all of the team. Barriers apply.',
      answer: [round],
    },
    getApproval: {
      text: 'Shows a round with the rule that applies, its places, candidates and votes. Each vote is a task, completed with `POST /api/v1/tasks/{id}/complete`. Each person fills one place. The round ends as soon as further votes cannot change its result.',
      answer: round,
    },
    restartApproval: {
      text: 'Voids an open round and begins another about the same subject, by the current rules and answers, with new candidates. Votes are not carried over. If the new round cannot begin, the old one stays. For the owner and administrators.',
      records: ['approval.voided', 'approval.requested', 'task.created'],
      problems: ['round_over', 'workflow_paused', 'policy_input_missing', 'no_eligible_assignee', 'too_many_candidates', 'quota_exceeded'],
      answer: open,
    },
    replaceApprovalCandidate: {
      text: 'Gives the vote of a candidate who has not voted to another member, who fills the same places. The exclusions of the round apply. The journal stores the reason. For the owner and administrators.',
      records: ['approval.candidate_replaced', 'task.assigned'],
      problems: replacing,
      body: { userId: desk.marcus.id, by: desk.olivia.id, reason: 'On leave until April' },
      answer: open,
    },
  },
};
