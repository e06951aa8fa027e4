import { defineProblems } from '../../../platform/problems.ts';

export const taskFormProblems = defineProblems({
  task_has_no_form: {
    status: 409,
    title: 'Task without a form',
    help: 'A task has a link to a form while it is open, if `config.interfaceId` of its step names a form. Complete this task with one of its `outcomes`.',
  },
  form_not_available: {
    status: 409,
    title: 'Form of the task unavailable',
    help: 'The form is not published, or the creator of the workflow no longer has the right to share it. Ask the creator or an administrator to publish the form, or to share it with the creator for editing.',
  },
});
