import { type Static, Type } from 'typebox';

export const taskLinkBody = Type.Object({
  taskId: Type.String({ format: 'uuid', description: 'A task that is yours, of a step that names a form' }),
});

export const taskLink = Type.Object(
  {
    taskId: Type.String({ description: 'The task that is done by it' }),
    interfaceId: Type.String({ description: 'The form that is filled in' }),
    token: Type.String({ description: 'Takes the place of the public token, for this one submission' }),
    url: Type.String({ format: 'uri', description: 'The page of the form, for the assignee only' }),
  },
  { title: 'TaskFormLink' },
);
export type TaskLink = Static<typeof taskLink>;
