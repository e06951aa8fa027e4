import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

/** The approval of the agreement, as it waits for Marcus. */
const open = {
  id: desk.approvalTask,
  title: 'Approve the NDA with Acme Robotics',
  type: 'approval',
  status: 'open',
  outcomes: ['approved', 'changes_requested', 'rejected'],
  assignedTo: desk.marcus.id,
  createdBy: desk.priya.id,
  createdByType: 'user',
  workflowId: desk.workflow,
  stepId: 'approval',
  documentId: desk.document,
  documentVersion: 1,
  documentSha256: desk.sha256,
  dueDate: desk.friday,
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};

const completed = {
  ...open,
  status: 'completed',
  outcome: 'approved',
  comment: 'The term is two years, as agreed.',
  completedBy: desk.marcus.id,
  completedByType: 'user',
  completedAt: desk.wednesday,
  updatedAt: desk.wednesday,
};

const signed = {
  ...completed,
  id: desk.signatureTask,
  title: 'Sign the NDA with Acme Robotics',
  type: 'signature',
  outcomes: [],
  assignedTo: desk.olivia.id,
  stepId: 'signature',
  outcome: 'signed_elsewhere',
  comment: 'Signed on paper by both parties; the scan is version 2.',
  completedBy: desk.olivia.id,
};

const passedOn = { ...open, assignedTo: desk.olivia.id, delegatedFrom: desk.marcus.id, updatedAt: desk.wednesday };

const comment = {
  id: desk.comment,
  taskId: desk.approvalTask,
  createdBy: desk.priya.id,
  createdByType: 'user',
  text: 'Clause 4 now names both affiliates.',
  createdAt: desk.tuesday,
};

const refusedPart = {
  id: desk.reviewTask,
  status: 409,
  problem: {
    type: 'https://api.example.com/problems/task_not_open',
    title: 'The task is not open',
    status: 409,
    detail: 'The task was completed before. Read it to see by whom.',
    code: 'task_not_open',
  },
};

/** Ending a task may begin the next step of its workflow, and be refused for what holds that up. */
const ending = ['task_not_open', 'document_changed', 'workflow_paused', 'quota_exceeded', 'outcome_invalid'];
const passingOn = ['task_not_open', 'quota_exceeded', 'assignee_is_viewer', 'assignee_not_found', 'outside_barrier'];

const delegation = {
  userId: desk.priya.id,
  toUserId: desk.marcus.id,
  from: desk.monday,
  until: desk.friday,
  kinds: ['approval'],
  openTasks: false,
  givenBy: desk.priya.id,
  createdAt: desk.monday,
  updatedAt: desk.monday,
};

export const description: DomainText = {
  operations: {
    listTaskDelegations: {
      text: 'Lists who stands in for whom, now or from a time to come: those that the caller gave or has, and all of the team for owner and administrators.',
      answer: [delegation],
    },
    getTaskDelegation: {
      text: 'Shows who stands in for a member (`me` for oneself), since when and until when: to the two of them, and to owner and administrators. 404 where nobody does.',
      answer: delegation,
    },
    putTaskDelegation: {
      text: 'Says who stands in while a member is away (`me` for oneself; for others it takes an owner or administrator). Tasks that are given to them from `from` to `until`, 90 days at most, go to the other, of the `kinds` that are named or all, and with `openTasks` those that are open when it begins. Each such task says `onBehalfOf`, and so does what is recorded of a decision. It goes one hop, and nothing goes to who made it, uploaded the version that is decided on, has a voice in the same step, or may not do it: that stays where it was. It takes the place of what was said before, and both are told by mail.',
      records: ['task.delegation_set'],
      problems: ['assignee_not_found'],
      body: { toUserId: desk.marcus.id, until: desk.friday, kinds: ['approval'] },
      answer: delegation,
    },
    deleteTaskDelegation: {
      text: 'Ends that somebody stands in for a member (`me` for oneself). What they were given meanwhile stays with them; whom they had it for takes it back with `reassignTask`.',
      records: ['task.delegation_ended'],
    },
    listTasks: {
      text: 'Lists the tasks that the caller may see: those they hold, gave or ended, and for owner, administrators and API clients all of the team. The filters narrow it together; `assignedTo=me` asks for one’s own, which an API client has none of. Without `limit` the answer holds up to 10 000 tasks and 4 MiB, and `Link` leads to the rest.',
      problems: ['person_required'],
      answer: [open],
    },
    createTask: {
      text: 'Gives somebody a task that belongs to no workflow. Whoever it is given to is told by mail, as their settings say; nobody is told of a task that they give themselves. A `documentId` of this service must name a document that the caller may let others read: the task opens it to the assignee for as long as it is open. Any other text is kept as the identifier of another system. A repetition without an `Idempotency-Key` gives a second task.',
      records: ['task.created'],
      problems: ['document_access_denied', 'quota_exceeded', 'assignee_is_viewer', 'assignee_not_found', 'outside_barrier'],
      body: {
        title: 'Check the signature page',
        description: 'Names and titles as in the commercial register.',
        assignedTo: desk.priya.id,
        documentId: desk.document,
        dueDate: '2026-03-13',
      },
      answer: {
        id: desk.reviewTask,
        title: 'Check the signature page',
        description: 'Names and titles as in the commercial register.',
        type: 'task',
        status: 'open',
        outcomes: ['completed'],
        assignedTo: desk.priya.id,
        createdBy: desk.olivia.id,
        createdByType: 'user',
        documentId: desk.document,
        documentVersion: 1,
        documentSha256: desk.sha256,
        dueDate: desk.friday,
        createdAt: desk.tuesday,
        updatedAt: desk.tuesday,
      },
    },
    getTask: {
      text: 'Shows one task with its outcomes, and once it has ended with who ended it and how. A task that the caller may not see is 404, as if it did not exist. So is one about a document behind a barrier that excludes the caller.',
      answer: open,
    },
    getTaskDocument: {
      text: 'Shows the version of a document that a task is about. Callers who may read the document see it. So does the person who completed the task while it gave them access. They read this version and nothing else of the document. This ends when the document is deleted, a barrier excludes them or they leave the team. A program needs `documents:read` too. A task about no document of this service, or about a document without a file, is 404.',
      answer: {
        number: 1,
        fileName: 'nda-acme-robotics.pdf',
        mediaType: 'application/pdf',
        size: 48_213,
        sha256: desk.sha256,
        createdBy: desk.priya.id,
        createdByType: 'user',
        createdAt: desk.monday,
      },
    },
    downloadTaskDocument: {
      text: 'Sends the file of the version that `getTaskDocument` shows, with its media type and name; `Range` asks for a part of it. The journal records who reads it and what gives them access; `HEAD` reads nothing and records nothing. With `If-None-Match` an unchanged file is not sent again.',
      records: ['document.content_read'],
      problems: ['range_not_satisfiable'],
    },
    completeTask: {
      text: 'Ends a task with one of its `outcomes`. Reviews and approvals must say which, and are ended by the person they are given to alone; a signature is never given by this operation. `documentVersion` is the version that was looked at: when a newer one has come, or `If-Match` names an older state of the task, nothing is done. The end of a task may end its step, begin the next one, or end the workflow, in the same transaction. A repetition of what was done is 409 `task_not_open`, or with the same `Idempotency-Key` the same answer again.',
      records: ['task.completed'],
      problems: [...ending, 'own_request', 'call_in_progress'],
      body: { outcome: 'approved', comment: 'The term is two years, as agreed.', documentVersion: 1 },
      answer: completed,
    },
    recordTaskSignature: {
      text: 'Records that the person it was asked of has signed, or declined, outside of this service. It is their word, kept with the version and its hash: no signature of this service, and the document does not become `signed`. Only tasks of the type `signature` take it, from their assignee. Like the end of any task it may end the step and the workflow.',
      records: ['task.completed', 'workflow.step.completed', 'workflow.completed'],
      problems: ending,
      body: { outcome: 'signed_elsewhere', comment: 'Signed on paper by both parties; the scan is version 2.', documentVersion: 1 },
      answer: signed,
    },
    reassignTask: {
      text: 'Passes an open task on to another active member. Members pass on what they hold, and what they gave; owner and administrators any task. A decision goes to nobody who made the workflow, uploaded the version or has a voice in the step already. The document that the task opens goes with it, and whoever had the task is told by mail, with the reason.',
      records: ['task.assigned'],
      problems: passingOn,
      body: { userId: desk.olivia.id, reason: 'Marcus is away until Monday.' },
      answer: passedOn,
    },
    completeTasks: {
      text: 'Completes up to 100 tasks, each by the rules of `completeTask` and in a transaction of its own. The answer is 200 also when some were refused: `results` has, in the order of the items, the status that each would have had alone, with the task or the problem. A task that is named twice is a 400, and nothing is done. Under an `Idempotency-Key` what was done is answered again, and what was refused is tried again. Each item counts as a change against the pace of the team.',
      records: ['task.completed'],
      body: { items: [{ id: desk.approvalTask, outcome: 'approved', documentVersion: 1 }, { id: desk.reviewTask }] },
      answer: { results: [{ id: desk.approvalTask, status: 200, task: completed }, refusedPart] },
    },
    reassignTasks: {
      text: 'Passes up to 100 tasks on, each by the rules of `reassignTask` and in a transaction of its own, for instance before somebody’s holidays. The answer is 200 also when some were refused, with a result for each item in its order. Under an `Idempotency-Key` what was done is answered again, and what was refused is tried again.',
      records: ['task.assigned'],
      body: { items: [{ id: desk.approvalTask, userId: desk.olivia.id, reason: 'Marcus is away until Monday.' }] },
      answer: { results: [{ id: desk.approvalTask, status: 200, task: passedOn }] },
    },
    listTaskComments: {
      text: 'Lists what was said on a task, oldest first, to whoever may see the task. Without `limit` the answer holds up to 10 000 comments and 4 MiB, and `Link` leads to the rest.',
      answer: [comment],
    },
    createTaskComment: {
      text: 'Adds a comment of up to 4 000 characters to a task, which whoever sees the task reads from then on. Comments are not changed and not deleted. The journal says who commented and when, and not what. A repetition without an `Idempotency-Key` says it twice.',
      records: ['task.commented'],
      body: { text: 'Clause 4 now names both affiliates.' },
      answer: comment,
    },
  },
  members: {
    assignedTo: 'The person it is given to, by their identifier',
    documentId: 'A document of this service, or the identifier that it has in another system',
    dueDate: 'When it is due: a time, or a date, which means the end of that day in the team’s time zone',
    outcome: 'How it ended, or is to end: one of its `outcomes`',
    comment: 'What whoever ended it said about it',
    'Task.status': '`open` until it ends; `completed` by an outcome that goes on, `rejected` by one that does not, or `cancelled`',
    'Task.workflowId': 'The workflow that it belongs to, where it does',
    'Task.stepId': 'The step of that workflow, by the key that the step has there',
    'Task.documentSha256': 'The SHA-256 of that version, in hexadecimal',
    'RecordTaskSignatureRequest.outcome': '`signed_elsewhere`, or `declined`',
    'ReassignTaskRequest.userId': 'Who is to have it',
    'items.userId': 'Who is to have it',
    'TaskResults.results': 'One for each item, in their order',
    'TaskComment.taskId': 'The task that it is about',
    'listTasks.status': 'Only tasks in this state; named several times, in any of them',
  },
};
