import { defineProblems } from '../../platform/problems.ts';

export const taskProblems = defineProblems({
  task_not_open: {
    status: 409,
    title: 'The task is not open',
    help: 'The task is already completed, rejected or cancelled. Read it to see its outcome.',
  },
  task_claimed: {
    status: 409,
    title: 'The task is claimed',
    help: 'You or another member of the group already claimed the task: see `assignedTo`. The assignee can release it with `POST …/release`.',
  },
  task_not_claimed: {
    status: 409,
    title: 'The task is not claimed',
    help: 'Only a task that a member claimed from a group can be released. Reassign other tasks.',
  },
  separation_of_duties: {
    status: 403,
    title: 'Another person must decide',
    help: 'The creator of the workflow, the uploader of the version and a person who already decides in this step cannot claim the decision. Leave it to another member of the group.',
  },
  round_over: {
    status: 409,
    title: 'The approval round is over',
    help: 'The votes of other members decided the round, or it expired or was voided. `GET /api/v1/approvals/{id}` shows its result.',
  },
  excluded_from_round: {
    status: 403,
    title: 'Excluded from the approval round',
    help: 'The rules of the round exclude its creator, the uploader of the version, or a submitter or requester. One person votes once. The owner or an administrator can replace a candidate with `POST /api/v1/approvals/{id}/replace`.',
  },
  outcome_invalid: {
    status: 422,
    title: 'Invalid task outcome',
    help: 'The task lists its possible `outcomes`. Reviews and approvals require `approved`, `changes_requested` or `rejected`. A signature task is completed by signing, or by recording a signature with `POST …/signature`.',
  },
  document_changed: {
    status: 409,
    title: 'The document has changed',
    help: 'A decision applies to one version of a document. The version that you sent is not the version of the task, or a newer version has restarted the step. Read the tasks and the document again.',
  },
  assignee_is_viewer: {
    status: 422,
    title: 'A viewer cannot complete this',
    help: 'Viewers complete only tasks and acknowledgements assigned to them, and no reviews, approvals, signatures, forms or custom steps. Choose another member, or change their role first.',
  },
  outside_barrier: {
    status: 422,
    title: 'Excluded by a barrier',
    help: 'A barrier around the document excludes the new assignee of the task or step, or the user who claims the task. `detail` names each excluded user. Choose a member of the barrier, or ask the owner of the folder to add the excluded users.',
  },
  assignee_not_found: {
    status: 422,
    title: 'Assignee not found',
    help: '`assignedTo`, `assignees` and `userId` must name active members of your team. List the members and check the identifier.',
  },
  matter_of_document: {
    status: 422,
    title: 'Document in another matter',
    help: 'Work about a document of the team is in the matter of that document. Omit `matterId`, or move the document to the matter first.',
  },
});
