import type { RoundRow } from './queries.ts';

/** Returns the event data of a round. */
export function roundEventData(row: Omit<RoundRow, 'need' | 'barred' | 'version' | 'status' | 'outcome' | 'on_rejection'>) {
  return {
    subjectType: row.subject_type,
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    ...(row.step_id === null ? {} : { stepId: row.step_id }),
    rule: row.rule,
    ...(row.policy_name === null ? {} : { policy: row.policy_name }),
    ...(row.policy_version === null ? {} : { policyVersion: row.policy_version }),
    ...(row.document_id === null ? {} : { documentId: row.document_id }),
    ...(row.document_version === null ? {} : { documentVersion: row.document_version }),
    ...(row.document_sha256 === null ? {} : { documentSha256: row.document_sha256 }),
    ...(row.args_sha256 === null ? {} : { argsSha256: row.args_sha256 }),
  };
}
