import { type Static, Type } from 'typebox';
import { commentMembers, commentText } from '../../../platform/comments.ts';
import { time } from '../../../platform/schema-parts.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** An action in a workflow or one of its tasks, with its actor. */
export const historyEntry = Type.Object(
  {
    id: Type.String({ description: 'The identifier of the journal entry' }),
    at: time,
    type: Type.String({ description: 'The action, by its name in the journal' }),
    actorType: Type.String({ description: 'user, client, agent or system' }),
    actorId: text('The actor, if it was not the service'),
    stepId: text('The step of the action'),
    stepType: text('The type of that step'),
    taskId: text('The task of the action'),
    status: Type.Optional(
      Type.Object(
        {
          from: Type.Optional(Type.String({ description: 'The state before' })),
          to: Type.Optional(Type.String({ description: 'The state after' })),
        },
        { description: 'The change of the state of the workflow or task' },
      ),
    ),
    outcome: text('The outcome of the step or task'),
    reason: text('The reason of the pause or cancellation'),
    assignedTo: text('The new assignee'),
    assignedFrom: text('The previous assignee'),
    completedBy: text('The actor who ended it'),
    completedByType: text('user, client, agent or system'),
    onBehalfOf: text('The first assignee of a reassigned task'),
    documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document in this action' })),
    documentSha256: text('The SHA-256 of that version, in hexadecimal'),
    changed: Type.Optional(Type.Array(Type.String(), { description: 'The changed members; for steps, those that differ' })),
    restarted: Type.Optional(Type.Array(Type.String(), { description: 'The restarted steps' })),
    text: text('The text of a comment on the workflow'),
  },
  { title: 'WorkflowHistoryEntry' },
);

export const comment = Type.Object(
  {
    ...commentMembers,
    workflowId: Type.String({ description: 'The commented workflow' }),
    stepId: text('The commented step, if any'),
  },
  { title: 'WorkflowComment' },
);
export type Comment = Static<typeof comment>;

export const commentBody = Type.Object({
  text: commentText,
  stepId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The commented step. Default: the whole workflow' })),
});
export type NewComment = Static<typeof commentBody>;
