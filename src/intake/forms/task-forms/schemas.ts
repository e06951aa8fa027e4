import { type Static, Type } from 'typebox';

export const taskLinkBody = Type.Object({
  taskId: Type.String({ format: 'uuid', description: 'Your task, of a step with a form' }),
});

export const taskLink = Type.Object(
  {
    taskId: Type.String({ description: 'The task that the submission completes' }),
    interfaceId: Type.String({ description: 'The form of the task' }),
    token: Type.String({ description: 'Replaces the public token, for this one submission' }),
    url: Type.String({ format: 'uri', description: 'The page of the form, for the assignee only' }),
  },
  { title: 'TaskFormLink' },
);
export type TaskLink = Static<typeof taskLink>;
