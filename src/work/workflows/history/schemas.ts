import { type Static, Type } from 'typebox';
import { time } from '../../../platform/schema-parts.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** What happened to a workflow or to one of its tasks, and who did it. */
export const historyEntry = Type.Object(
  {
    id: Type.String({ description: 'The entry of the journal that says the same' }),
    at: time,
    type: Type.String({ description: 'What happened, as the journal calls it' }),
    actorType: Type.String({ description: 'user, client, agent or system' }),
    actorId: text('Who acted, where it was not the service'),
    stepId: text('The step that it happened to'),
    stepType: text('The type of that step'),
    taskId: text('The task that it happened to'),
    status: Type.Optional(
      Type.Object(
        {
          from: Type.Optional(Type.String({ description: 'The state before' })),
          to: Type.Optional(Type.String({ description: 'The state since' })),
        },
        { description: 'How the state of the workflow or the task changed' },
      ),
    ),
    outcome: text('How the step or the task ended'),
    reason: text('Why the workflow was paused or cancelled'),
    assignedTo: text('The new assignee'),
    assignedFrom: text('The previous assignee'),
    completedBy: text('Who ended it'),
    completedByType: text('user, client, agent or system'),
    onBehalfOf: text('The first assignee of a reassigned task'),
    documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document that it was about' })),
    documentSha256: text('The SHA-256 of that version, in hexadecimal'),
    changed: Type.Optional(Type.Array(Type.String(), { description: 'The members that were changed; of steps those that differ' })),
    restarted: Type.Optional(Type.Array(Type.String(), { description: 'The steps that begin again' })),
    text: text('The text of a comment on the workflow'),
  },
  { title: 'WorkflowHistoryEntry' },
);

export const comment = Type.Object(
  {
    id: Type.String(),
    workflowId: Type.String({ description: 'The workflow that it is about' }),
    stepId: text('The step that it is about, where it is about one'),
    createdBy: Type.String(),
    createdByType: Type.String({ description: 'user, client or agent' }),
    text: Type.String(),
    createdAt: time,
  },
  { title: 'WorkflowComment' },
);
export type Comment = Static<typeof comment>;

export const commentBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4_000 }),
  stepId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The step that it is about' })),
});
export type NewComment = Static<typeof commentBody>;
