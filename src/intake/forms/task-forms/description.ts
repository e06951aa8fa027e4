import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

export const taskFormText: DomainText['operations'] = {
  linkTaskForm: {
    text: 'Returns the link to the form of a task to its assignee. The step of the task names the form in `config.interfaceId`. The link is the same each time, and the assignee also got it by email. It accepts one submission, which completes the task with its outcome. It ends with the task, or when the task is reassigned. It needs no proof of work. Only a submission through this link completes the task. The form must be published, and the creator of the workflow must still have the right to edit it.',
    records: ['task.form_link_shown'],
    problems: ['not_found', 'task_has_no_form', 'form_not_available'],
    body: { taskId: desk.reviewTask },
    answer: {
      taskId: desk.reviewTask,
      interfaceId: desk.interface,
      token: desk.publicToken,
      url: `https://chancery.example/f/${desk.publicToken}`,
    },
  },
};
