import { defineProblems } from '../../../platform/problems.ts';

export const taskFormProblems = defineProblems({
  task_has_no_form: {
    status: 409,
    title: 'The task has no form',
    help: 'The link is of a task that is open and whose step names a form in `config.interfaceId`. Complete the task as its `outcomes` say.',
  },
  form_not_available: {
    status: 409,
    title: 'The form of the task cannot be filled in now',
    help: 'The form is not published, or whoever made the workflow may not give it to others any more. Ask them, or an administrator, to publish it or to share it with them for editing.',
  },
});
