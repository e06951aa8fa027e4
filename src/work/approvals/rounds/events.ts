import { Type } from 'typebox';
import { discardedMembers } from '../../../platform/jobs/due-jobs.ts';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';

const about = {
  subjectType: Type.String({ description: 'step or tool_call' }),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  rule: Type.String({ description: 'The rule that applies' }),
  policy: Type.Optional(Type.String({ description: 'The name of the policy' })),
  policyVersion: Type.Optional(Type.Integer()),
  documentId: Type.Optional(Type.String()),
  documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document that the round is about' })),
  documentSha256: Type.Optional(Type.String()),
  argsSha256: Type.Optional(Type.String({ description: 'SHA-256 of the arguments of a tool call' })),
};
const scope = 'tasks:read';
const example = {
  subjectType: 'step',
  workflowId: '01999999-0000-7000-8000-000000000004',
  stepId: 'board',
  rule: 'large',
  documentId: '01999999-0000-7000-8000-000000000000',
  documentVersion: 2,
};
const person = '01999999-0000-7000-8000-000000000001';

export const approvalRequested = defineEvent({
  type: 'approval.requested',
  target: 'approval',
  scope,
  description: 'An approval round has begun. Each candidate has a task.',
  data: Type.Object({
    ...about,
    candidates: Type.Array(Type.String()),
    exclude: Type.Array(Type.String(), { description: 'The excluded people' }),
    supersedes: Type.Optional(Type.String({ description: 'The previous round about the same subject' })),
    documents: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), version: Type.Optional(Type.Integer()), sha256: Type.Optional(Type.String()) }), {
        description: 'The documents of a round about several',
      }),
    ),
  }),
  example: { ...example, candidates: [person], exclude: ['creator', 'uploader', 'submitter'] },
});
export const approvalVoted = defineEvent({
  type: 'approval.voted',
  target: 'approval',
  scope,
  description: 'A candidate of an approval round, or their delegate, voted.',
  data: Type.Object({
    ...about,
    taskId: Type.String(),
    outcome: Type.String(),
    votedBy: Type.Optional(Type.String()),
    onBehalfOf: Type.Optional(Type.String({ description: 'The absent candidate' })),
  }),
  example: { ...example, taskId: '01999999-0000-7000-8000-000000000002', outcome: 'approved', votedBy: person },
});
export const approvalDecided = defineEvent({
  type: 'approval.decided',
  target: 'approval',
  scope,
  description: 'An approval round was approved or rejected, or has expired.',
  data: Type.Object({
    ...about,
    status: Type.String({ description: 'approved, rejected or expired' }),
    outcome: Type.Optional(Type.String({ description: '`approved`, or the outcome of the first rejection' })),
    decidedBy: Type.Optional(Type.String({ description: 'The user whose vote decided the round' })),
    onBehalfOf: Type.Optional(Type.String()),
  }),
  example: { ...example, status: 'approved', outcome: 'approved', decidedBy: person },
});
export const approvalVoided = defineEvent({
  type: 'approval.voided',
  target: 'approval',
  scope,
  description: 'An approval round ended without a result: its subject changed or ended, or an administrator restarted it.',
  data: Type.Object({
    ...about,
    reason: Type.String({
      description: 'document_changed, step_restarted, workflow_ended, run_ended, call_changed, caller_ended, policy_changed or restarted',
    }),
  }),
  example: { ...example, reason: 'document_changed' },
});
/** The owner or an administrator replaced a candidate. */
export const candidateReplaced = defineAuditAction(
  'approval.candidate_replaced',
  'approval',
  { from: Type.String(), to: Type.String(), taskId: Type.String(), reason: Type.String() },
  ['reason'],
);
/** The expiry of a round failed ten times and is not retried. */
export const expiryFailed = defineAuditAction('approval.expiry_failed', 'approval', discardedMembers);
