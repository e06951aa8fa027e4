import { type Static, Type } from 'typebox';

const time = Type.String({ format: 'date-time' });
const text = (maxLength: number) => Type.String({ maxLength });

export const task = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    type: Type.String({ description: 'The kind of step it stands for: task, review, approval, or a name of one’s own' }),
    status: Type.Enum(['open', 'completed', 'rejected', 'cancelled']),
    assignedTo: Type.Optional(Type.String()),
    createdBy: Type.String(),
    workflowId: Type.Optional(Type.String()),
    stepId: Type.Optional(Type.String()),
    documentId: Type.Optional(Type.String()),
    dueDate: Type.Optional(time),
    outcome: Type.Optional(Type.String()),
    comment: Type.Optional(Type.String()),
    completedBy: Type.Optional(Type.String()),
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
  documentId: Type.Optional(text(200)),
  dueDate: Type.Optional(text(40)),
});
export type CreateTask = Static<typeof createBody>;

export const completeBody = Type.Union([
  Type.Object({ outcome: Type.Optional(text(100)), comment: Type.Optional(text(4_000)) }),
  Type.Null(),
]);
export type CompleteTask = Static<typeof completeBody>;
export const reassignBody = Type.Object({ userId: text(64) });
export const commentBody = Type.Object({ text: Type.String({ minLength: 1, maxLength: 4_000 }) });
export const comment = Type.Object(
  { id: Type.String(), taskId: Type.String(), userId: Type.String(), text: Type.String(), createdAt: time },
  { title: 'TaskComment' },
);
export type Comment = Static<typeof comment>;
export const idParams = Type.Object({ id: Type.String() });
export const filters = {
  status: Type.Optional(Type.Array(Type.Enum(['open', 'completed', 'rejected', 'cancelled']))),
  assignedTo: Type.Optional(Type.String({ description: 'A member, or `me`' })),
  workflowId: Type.Optional(Type.String()),
  overdue: Type.Optional(Type.Boolean()),
};
