import { defineProblems } from '../../platform/problems.ts';

export const taskProblems = defineProblems({
  task_not_open: {
    status: 409,
    title: 'The task is not open',
    help: 'The task was completed, rejected or cancelled before. Read it to see by whom.',
  },
  outcome_invalid: {
    status: 422,
    title: 'The task does not end with this outcome',
    help: 'Each kind of task has its outcomes, which are listed in the task as `outcomes`: reviews and approvals are `approved`, `changes_requested` or `rejected` and must say which; a signature is given by signing, or recorded by its own operation.',
  },
  document_changed: {
    status: 409,
    title: 'The document has changed',
    help: 'A decision is about one version of a document. The one you looked at is not the one the task is about, or a newer one came and the step has begun again. Read the tasks and the document again.',
  },
  assignee_is_viewer: {
    status: 422,
    title: 'A viewer cannot complete this',
    help: 'Viewers complete tasks and acknowledgements that are given to them: no reviews, approvals, signatures, forms or steps of one’s own names. Choose somebody else, or give them another role first.',
  },
  outside_barrier: {
    status: 422,
    title: 'The person is outside of the barrier',
    help: 'A barrier around the document excludes a person to whom the request assigns a task or step. `detail` names each of them. Choose a member inside of the barrier, or ask the owner of the folder to add them to it.',
  },
  assignee_not_found: {
    status: 422,
    title: 'The assignee is no member',
    help: '`assignedTo`, `assignees` and `userId` name active members of your team. List the members and check the identifier.',
  },
});
