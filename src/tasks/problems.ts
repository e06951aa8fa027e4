import { defineProblems } from '../platform/problems.ts';

export const taskProblems = defineProblems({
  task_not_open: {
    status: 409,
    title: 'The task is not open',
    help: 'The task was completed, rejected or cancelled before. Read it to see by whom.',
  },
  assignee_not_found: {
    status: 422,
    title: 'The assignee is no member',
    help: '`assignedTo`, `assignees` and `userId` name active members of your team. List the members and check the identifier.',
  },
});
