import { type Static, Type } from 'typebox';
import { searchFilter, idsFilter } from '../../platform/http/page.ts';
import { commentMembers, commentText } from '../../platform/comments.ts';
import { sorts } from '../../platform/database/sorted-page.ts';
import { itemsOf, resultsOf } from '../../platform/http/bulk.ts';
import { actorTypes } from '../../platform/scope.ts';
import { time, text } from '../../platform/schema-parts.ts';

export const task = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    type: Type.String({ description: 'The type of step: task, review, approval, or a custom name' }),
    status: Type.Enum(['open', 'completed', 'rejected', 'cancelled']),
    outcomes: Type.Array(Type.String(), { description: 'The possible outcomes' }),
    assignedTo: Type.Optional(Type.String()),
    assignedGroupId: Type.Optional(Type.String({ description: 'The group of which one member claims the task' })),
    delegatedFrom: Type.Optional(Type.String({ description: 'The first assignee, if it was reassigned' })),
    onBehalfOf: Type.Optional(Type.String({ description: 'The absent member, if the assignee is a delegate' })),
    createdBy: Type.String(),
    createdByType: Type.String({ enum: [...actorTypes] }),
    workflowId: Type.Optional(Type.String()),
    stepId: Type.Optional(Type.String()),
    roundId: Type.Optional(Type.String({ description: 'The approval round of which the task is a vote' })),
    documentId: Type.Optional(Type.String()),
    matterId: Type.Optional(Type.String({ description: 'The matter that the task is in' })),
    documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document that it is about' })),
    documentSha256: Type.Optional(Type.String()),
    dueDate: Type.Optional(time),
    outcome: Type.Optional(Type.String()),
    comment: Type.Optional(Type.String()),
    completedBy: Type.Optional(Type.String()),
    completedByType: Type.Optional(Type.String({ enum: [...actorTypes] })),
    completedAt: Type.Optional(time),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Task' },
);
export type Task = Static<typeof task>;

export const createBody = Type.Object({
  title: text(1_000),
  description: Type.Optional(text(4_000)),
  assignedTo: Type.Optional(text(64)),
  groupId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The group of which one member claims the task, instead of `assignedTo`' }),
  ),
  documentId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  dueDate: Type.Optional(text(40)),
  matterId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The matter. Work about a document of the team is in the matter of that document' }),
  ),
});
export type CreateTask = Static<typeof createBody>;

const documentVersion = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The version that you examined; a newer one gives 409' }),
);
const remark = Type.Optional(text(4_000));
export const completeBody = Type.Union([Type.Object({ outcome: Type.Optional(text(100)), comment: remark, documentVersion }), Type.Null()]);
export type CompleteTask = Static<typeof completeBody>;
export const signatureBody = Type.Object({ outcome: Type.Enum(['signed_elsewhere', 'declined']), comment: remark, documentVersion });
export type RecordSignature = Static<typeof signatureBody>;
export const reassignBody = Type.Object({ userId: text(64), reason: Type.Optional(text(2_000)) });
export type Reassign = Static<typeof reassignBody>;

const taskId = Type.String({ format: 'uuid' });
export const completeSeveralBody = itemsOf(
  Type.Object({ id: taskId, outcome: Type.Optional(text(100)), comment: remark, documentVersion }),
);
export const reassignSeveralBody = itemsOf(Type.Object({ id: taskId, userId: text(64), reason: Type.Optional(text(2_000)) }));
export const taskResults = resultsOf('task', task, { title: 'TaskResults' });
export const commentBody = Type.Object({ text: commentText });
export const comment = Type.Object({ ...commentMembers, taskId: Type.String() }, { title: 'TaskComment' });
export type Comment = Static<typeof comment>;
/** Selects one of several documents. */
export const documentQuery = Type.Object({
  documentId: Type.Optional(
    Type.String({ maxLength: 200, description: 'A document of the approval round of the task. Default: the document of the task' }),
  ),
});

export const filters = {
  ...searchFilter('title'),
  ...idsFilter,
  status: Type.Optional(Type.Array(Type.Enum(['open', 'completed', 'rejected', 'cancelled']))),
  assignedTo: Type.Optional(Type.String({ description: 'A member, or `me`' })),
  createdBy: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only tasks that this member or client created, or the caller with `me`' }),
  ),
  claimable: Type.Optional(
    Type.Boolean({ description: '`true`: the open tasks of your groups that you can claim; with `assignedTo=me` in addition to your own' }),
  ),
  workflowId: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String({ maxLength: 64, description: 'Only tasks in this matter' })),
  overdue: Type.Optional(Type.Boolean()),
  updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Only items that changed at this time or later' })),
};
export type TaskFilters = Partial<Static<ReturnType<typeof Type.Object<typeof filters>>>>;
export const sort = Type.Optional(Type.Enum([...sorts], { description: 'By age by default; `-` reverses the order' }));
