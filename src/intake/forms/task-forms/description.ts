import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

export const taskFormText: DomainText['operations'] = {
  linkTaskForm: {
    text: 'Gives the person who has a task the link to the form that the step of the task names in `config.interfaceId`: the same link each time, which they were mailed too. It is good for one submission, which is the outcome of the task and completes it; it ends with the task, and when that is given to somebody else. It takes no proof of work. An ordinary submission to the form completes no task, and no other act completes this one. The form must be published, and whoever made the workflow must still be allowed to edit it.',
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
