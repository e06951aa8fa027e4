import type { StepInput } from './schemas.ts';

export type Template = { name: string; description: string; steps: StepInput[] };

/**
 * The templates that every team has. Steps without an assignee are assigned to the assignee of the workflow, or to its creator. A workflow has a copy
 * of the steps of its template.
 */
export const builtinTemplates: readonly Template[] = [
  {
    name: 'contract-review-and-signature',
    description: 'A contract is reviewed, approved, signed, and filed.',
    steps: [
      {
        id: 'review',
        type: 'review',
        name: 'Review the contract',
        description: 'Check parties, term, liability and governing law.',
        dueInDays: 3,
      },
      { id: 'approval', type: 'approval', name: 'Approve the contract', dueInDays: 2, config: { onReject: 'review' } },
      { id: 'signature', type: 'signature', name: 'Have the contract signed', dueInDays: 7 },
      { id: 'file', type: 'task', name: 'File the signed copy', dueInDays: 2 },
    ],
  },
  {
    name: 'nda-approval',
    description: 'A non-disclosure agreement is checked against the standard terms, approved and signed.',
    steps: [
      { id: 'check', type: 'review', name: 'Check against our standard terms', dueInDays: 1 },
      { id: 'approval', type: 'approval', name: 'Approve the agreement', dueInDays: 1, config: { onReject: 'check' } },
      { id: 'signature', type: 'signature', name: 'Have the agreement signed', dueInDays: 5 },
    ],
  },
  {
    name: 'policy-acknowledgement',
    description: 'A policy is approved, announced, and acknowledged by all its readers.',
    steps: [
      { id: 'approval', type: 'approval', name: 'Approve the policy for publication', dueInDays: 5 },
      { id: 'announce', type: 'notification', name: 'Announce the policy' },
      { id: 'acknowledge', type: 'acknowledgement', name: 'Read and acknowledge the policy', mode: 'all', dueInDays: 14 },
      { id: 'close', type: 'task', name: 'Record missing acknowledgements', dueInDays: 3 },
    ],
  },
  {
    name: 'vendor-due-diligence',
    description: 'A supplier is assessed for security, privacy and finances at the same time, then approved.',
    steps: [
      { id: 'questionnaire', type: 'task', name: 'Collect the supplier’s questionnaire', dependsOn: [], dueInDays: 10 },
      { id: 'security', type: 'review', name: 'Assess security', dependsOn: ['questionnaire'], dueInDays: 5 },
      { id: 'privacy', type: 'review', name: 'Assess data protection', dependsOn: ['questionnaire'], dueInDays: 5 },
      { id: 'finance', type: 'review', name: 'Assess the finances', dependsOn: ['questionnaire'], dueInDays: 5 },
      { id: 'approval', type: 'approval', name: 'Approve the supplier', dependsOn: ['security', 'privacy', 'finance'], dueInDays: 3 },
    ],
  },
  {
    name: 'dsar-response',
    description: 'A request for access to personal data gets a response within the month of Article 12(3) GDPR.',
    steps: [
      { id: 'identity', type: 'task', name: 'Verify the identity of the requester', dueInDays: 3 },
      { id: 'collect', type: 'task', name: 'Collect the data from all systems', dueInDays: 10 },
      { id: 'redact', type: 'review', name: 'Redact data about other people', dueInDays: 7 },
      { id: 'approval', type: 'approval', name: 'Approve the response', dueInDays: 3, config: { onReject: 'redact' } },
      { id: 'send', type: 'task', name: 'Send the response and record it', dueInDays: 2 },
    ],
  },
  {
    name: 'incident-report',
    description: 'An incident is contained, assessed and reported within the 72 hours of Article 33 GDPR, and reviewed.',
    steps: [
      { id: 'contain', type: 'task', name: 'Contain the incident', dueInDays: 0 },
      { id: 'assess', type: 'review', name: 'Assess the risk to the people concerned', dueInDays: 1 },
      { id: 'report', type: 'task', name: 'Report to the authority, or record why not', dueInDays: 2 },
      { id: 'lessons', type: 'task', name: 'Record the necessary changes', dueInDays: 14 },
    ],
  },
  {
    name: 'data-retention-review',
    description: 'Records past their retention period are listed, released by their owner, and deleted.',
    steps: [
      { id: 'list', type: 'task', name: 'List the records past their period', dueInDays: 7 },
      { id: 'release', type: 'approval', name: 'Release for deletion', dueInDays: 7, config: { onReject: 'list' } },
      { id: 'grace', type: 'wait', name: 'Wait before deleting', config: { days: 7 } },
      { id: 'delete', type: 'task', name: 'Delete and record the deletion', dueInDays: 3 },
    ],
  },
  {
    name: 'dpia',
    description: 'A data protection impact assessment by Article 35 GDPR: described, assessed, advised on and decided.',
    steps: [
      { id: 'describe', type: 'task', name: 'Describe the processing and its purposes', dueInDays: 7 },
      { id: 'necessity', type: 'review', name: 'Assess necessity and proportionality', dueInDays: 5 },
      { id: 'risks', type: 'review', name: 'Assess the risks and the measures', dueInDays: 7 },
      { id: 'advice', type: 'review', name: 'Ask the data protection officer’s advice', dueInDays: 5, config: { onReject: 'risks' } },
      { id: 'decision', type: 'approval', name: 'Decide on the processing', dueInDays: 3, config: { onReject: 'risks' } },
    ],
  },
];
