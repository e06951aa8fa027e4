import { Type } from 'typebox';
import { idPage, sortedPage } from '../../platform/http/page.ts';
import { changingTool, cursor, limitTo, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { commentBody, createBody, filters } from './schemas.ts';
import { addComment, createTask, getTask, listComments, listTasks } from './service.ts';

const id = Type.String({ description: 'The identifier of a task' });
const page = { limit: limitTo(100, 20), cursor };

/** The tools of agents and other programs that use a language model. No tool completes a task: only the assignee can complete it. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Lists the tasks that the caller may see, by due date. Filters: status, assignee, workflow, document, overdue, changed since a time.',
    operation: 'listTasks',
    scope: 'tasks:read',
    input: Type.Object({ ...filters, ...page }),
    run: async (scope, { limit, cursor: from, ...wanted }) =>
      pageOf(await listTasks(scope, wanted, sortedPage({ limit, cursor: from, sort: 'dueDate' }, 'dueDate'))),
  }),
  readingTool({
    name: 'get_task',
    title: 'Read a task',
    description: 'Shows one task with its description, assignee, due date and outcome.',
    operation: 'getTask',
    scope: 'tasks:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await getTask(scope, input.id)).value,
  }),
  readingTool({
    name: 'list_task_comments',
    title: 'Read the comments on a task',
    description: 'Lists the comments on one task, oldest first.',
    operation: 'listTaskComments',
    scope: 'tasks:read',
    input: Type.Object({ id, ...page }),
    run: async (scope, { id: task, ...wanted }) => pageOf(await listComments(scope, task, idPage(wanted))),
  }),
  changingTool({
    name: 'create_task',
    title: 'Create a task',
    description: 'Creates a task for a member of the team or without an assignee, with an optional due date and document.',
    operation: 'createTask',
    target: { by: 'documentId', read: 'get_document', as: 'id' },
    scope: 'tasks:write',
    input: createBody,
    run: async (scope, input) => (await createTask(scope, input)).value,
  }),
  changingTool({
    name: 'comment_on_task',
    title: 'Comment on a task',
    description: 'Adds a comment to one task. All users who may see the task can read it.',
    operation: 'createTaskComment',
    target: { by: 'id', read: 'get_task' },
    scope: 'tasks:write',
    reads: 'tasks:read',
    input: Type.Object({ id, ...commentBody.properties }),
    run: (scope, input) => addComment(scope, input.id, input.text),
  }),
];
