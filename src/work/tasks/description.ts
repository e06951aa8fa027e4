import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

/** An open approval task about the agreement, assigned to Marcus. */
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

/** An approval for a group that no member has claimed yet. */
const { assignedTo: _assignee, ...unassigned } = open;
const ofGroup = { ...unassigned, assignedGroupId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f31' };

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
    detail: 'The task is already completed, rejected or cancelled. Read it to see its outcome.',
    code: 'task_not_open',
  },
};

/** Completing a task may start the next step of the workflow. So this operation can also return the problems of that step. */
const ending = [
  'task_not_open',
  'document_changed',
  'round_over',
  'excluded_from_round',
  'workflow_paused',
  'quota_exceeded',
  'outcome_invalid',
];
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
      text: 'Lists current and future delegations. Members see those that they set or received; owner and administrators see all of the team.',
      answer: [delegation],
    },
    getTaskDelegation: {
      text: 'Shows the delegate of a member (`me` for the caller) with the start and end. Both members, owner and administrators may read it. Without a delegation the response is 404.',
      answer: delegation,
    },
    putTaskDelegation: {
      text: 'Sets the delegate of a member during an absence (`me` for the caller; for others it needs an owner or administrator). Tasks assigned to the member from `from` to `until`, 90 days at most, go to the delegate. `kinds` limits the types of task, and `openTasks` includes tasks that are open at the start. Each such task and its recorded decision has `onBehalfOf`. A delegated task is not delegated further. A task stays with the member if the delegate may not do it. The creator of the workflow, the uploader of the version and another decider of the step may not. A new delegation replaces the previous one, and both users get a mail.',
      records: ['task.delegation_set'],
      problems: ['assignee_not_found'],
      body: { toUserId: desk.marcus.id, until: desk.friday, kinds: ['approval'] },
      answer: delegation,
    },
    deleteTaskDelegation: {
      text: 'Ends the delegation of a member (`me` for the caller). The delegate keeps the tasks assigned so far; the member takes them back with `reassignTask`.',
      records: ['task.delegation_ended'],
    },
    listTasks: {
      text: 'Lists the tasks that the caller may see: tasks that they are assigned, created or completed, and open ones of their groups. Owner, administrators and API clients see all tasks of the team. Filters combine. `assignedTo=me` selects the caller’s own tasks; an API client has none. `claimable=true` selects unclaimed tasks of the caller’s groups that they can claim, and with `assignedTo=me` both. Without `limit` the response holds up to 10 000 tasks and 4 MiB, and `Link` leads to the rest.',
      problems: ['person_required'],
      answer: [open],
    },
    createTask: {
      text: 'Creates a task outside of any workflow. The assignee gets a mail, as their settings say, unless they created the task. A `documentId` of this service must name a document that the caller may share: the assignee can read it while the task is open. Any other text is stored as the identifier of another system. With `groupId` the task is for a group: its members see it, and one of them claims it with `claimTask`. Repeating the request without an `Idempotency-Key` creates a second task.',
      records: ['task.created'],
      problems: [
        'matter_not_found',
        'matter_of_document',
        'matter_closed',
        'document_access_denied',
        'quota_exceeded',
        'assignee_is_viewer',
        'assignee_not_found',
        'group_not_found',
        'outside_barrier',
      ],
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
      text: 'Shows a task with its outcomes. A completed task also has its outcome and the actor who completed it. A task that the caller may not see returns 404, as if it did not exist. So does a task about a document behind a barrier that excludes the caller.',
      answer: open,
    },
    getTaskDocument: {
      text: 'Shows the version of a document that a task is about. Callers who may read the document see it. So does the person who completed the task while it gave them access. They read this version and nothing else of the document. This ends when the document is deleted, a barrier excludes them or they leave the team. A program needs `documents:read` too. A task about no document of this service, or about a document without a file, returns 404.',
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
    },
    completeTask: {
      text: 'Completes a task with one of its `outcomes`. Reviews and approvals require the outcome, and only their assignee completes them. This operation never gives a signature. `documentVersion` is the version that the caller examined. If a newer one exists, or `If-Match` names an older state of the task, nothing changes. The completion may end the step, start the next one, or end the workflow, in the same transaction. Repeating the request returns 409 `task_not_open`; with the same `Idempotency-Key` it returns the same response.',
      records: ['task.completed'],
      problems: [...ending, 'own_request', 'call_in_progress'],
      body: { outcome: 'approved', comment: 'The term is two years, as agreed.', documentVersion: 1 },
      answer: completed,
    },
    recordTaskSignature: {
      text: 'Records that the assignee signed, or declined, outside of this service. It stores the assignee’s statement with the version and its hash. This is not a signature of this service, and the document does not become `signed`. Only tasks of the type `signature` accept it, from their assignee. Like any completion it may end the step and the workflow.',
      records: ['task.completed', 'workflow.step.completed', 'workflow.completed'],
      problems: ending,
      body: { outcome: 'signed_elsewhere', comment: 'Signed on paper by both parties; the scan is version 2.', documentVersion: 1 },
      answer: signed,
    },
    claimTask: {
      text: 'Makes the caller the assignee of an open task of one of their groups. Of concurrent claims one succeeds; the others are 409 `task_claimed`. The creator of the workflow, the uploader of the version and another decider of the step cannot claim a decision (403 `separation_of_duties`). Viewers claim the types that they can complete. A caller with only emergency access to the document is outside of the barrier (422). API clients and agents do not claim.',
      records: ['task.claimed'],
      problems: ['task_claimed', 'task_not_open', 'separation_of_duties', 'outside_barrier', 'assignee_not_found'],
      answer: { ...ofGroup, assignedTo: desk.marcus.id, updatedAt: desk.wednesday },
    },
    releaseTask: {
      text: 'Gives a claimed task back to its group, so that another member can claim it. Its assignee, the owner of the team and administrators release it. A claimed task is also released when its assignee is suspended or leaves the team. So it is when they leave the group and can no longer read the document, or a barrier excludes them.',
      records: ['task.released'],
      problems: ['task_not_claimed', 'task_not_open'],
      answer: { ...ofGroup, updatedAt: desk.wednesday },
    },
    reassignTask: {
      text: 'Assigns an open task to another active member. Members reassign tasks that they are assigned or created; owner and administrators reassign any task. A decision cannot go to the creator of the workflow, the uploader of the version, or another decider of the step. A task of a group is then no longer the group’s. Access to the document moves with the task. The previous assignee gets a mail with the reason.',
      records: ['task.assigned'],
      problems: passingOn,
      body: { userId: desk.olivia.id, reason: 'Marcus is away until Monday.' },
      answer: passedOn,
    },
    completeTasks: {
      text: 'Completes up to 100 tasks, each by the rules of `completeTask` and in a separate transaction. The response is 200 even if some fail. `results` has the status of each item with its task or problem, in the order of the items. A duplicate task is a 400, and nothing changes. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones. Each item counts as a change in the rate limit of the team.',
      records: ['task.completed'],
      body: { items: [{ id: desk.approvalTask, outcome: 'approved', documentVersion: 1 }, { id: desk.reviewTask }] },
      answer: { results: [{ id: desk.approvalTask, status: 200, task: completed }, refusedPart] },
    },
    reassignTasks: {
      text: 'Reassigns up to 100 tasks, each by the rules of `reassignTask` and in a separate transaction, for example before a vacation. The response is 200 even if some fail, with a result for each item in its order. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones.',
      records: ['task.assigned'],
      body: { items: [{ id: desk.approvalTask, userId: desk.olivia.id, reason: 'Marcus is away until Monday.' }] },
      answer: { results: [{ id: desk.approvalTask, status: 200, task: passedOn }] },
    },
    listTaskComments: {
      text: 'Lists the comments on a task, oldest first. Every caller who may see the task can list them. Without `limit` the response holds up to 10 000 comments and 4 MiB, and `Link` leads to the rest.',
      answer: [comment],
    },
    createTaskComment: {
      text: 'Adds a comment of up to 4 000 characters to a task. Every caller who may see the task can read it. Comments cannot be changed or deleted. The journal records the author and time, without the text. A repetition without an `Idempotency-Key` adds a second comment.',
      records: ['task.commented'],
      body: { text: 'Clause 4 now names both affiliates.' },
      answer: comment,
    },
  },
  members: {
    assignedTo: 'The assignee, by identifier',
    documentId: 'A document of this service, or the identifier that it has in another system',
    dueDate: 'The due time, or a date, which means the end of that day in the team’s time zone',
    outcome: 'The outcome: one of `outcomes`',
    comment: 'The comment on the completion',
    'Task.status': '`open`, `completed`, `rejected` (a negative decision) or `cancelled`',
    'Task.workflowId': 'The workflow of the task, if any',
    'Task.stepId': 'The key of its step in that workflow',
    'Task.documentSha256': 'The SHA-256 of that version, in hexadecimal',
    'RecordTaskSignatureRequest.outcome': '`signed_elsewhere`, or `declined`',
    'ReassignTaskRequest.userId': 'The new assignee',
    'items.userId': 'The new assignee',
    'TaskComment.taskId': 'The commented task',
    'listTasks.status': 'Only tasks in this state. Repeat it to select several states',
  },
};
