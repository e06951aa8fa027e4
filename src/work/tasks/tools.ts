import { Type } from 'typebox';
import { idPage, sortedPage } from '../../platform/http/page.ts';
import { changingTool, cursor, limitTo, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { commentBody, createBody, filters } from './schemas.ts';
import { addComment, createTask, getTask, listComments, listTasks } from './service.ts';

const id = Type.String({ description: 'The identifier of a task' });
const page = { limit: limitTo(100, 20), cursor };

/** What programs that work with a model do with tasks. None completes one: that is for whoever holds it. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_tasks',
    title: 'List tasks',
    description:
      'Lists tasks that can be seen, what is due first first: of a status, a person, a workflow or a document, overdue, or changed since a time.',
    operation: 'listTasks',
    scope: 'tasks:read',
    input: Type.Object({ ...filters, ...page }),
    run: async (scope, { limit, cursor: from, ...wanted }) =>
      pageOf(await listTasks(scope, wanted, sortedPage({ limit, cursor: from, sort: 'dueDate' }, 'dueDate'))),
  }),
  readingTool({
    name: 'get_task',
    title: 'Read a task',
    description: 'Shows one task: what is to be done, by whom and by when, and what came of it.',
    operation: 'getTask',
    scope: 'tasks:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await getTask(scope, input.id)).value,
  }),
  readingTool({
    name: 'list_task_comments',
    title: 'Read the comments on a task',
    description: 'Lists what was said on one task, oldest first.',
    operation: 'listTaskComments',
    scope: 'tasks:read',
    input: Type.Object({ id, ...page }),
    run: async (scope, { id: task, ...wanted }) => pageOf(await listComments(scope, task, idPage(wanted))),
  }),
  changingTool({
    name: 'create_task',
    title: 'Give somebody a task',
    description: 'Makes a task for a member of the team, or for nobody in particular, with a due date and a document where there are.',
    operation: 'createTask',
    target: { by: 'documentId', read: 'get_document', as: 'id' },
    scope: 'tasks:write',
    input: createBody,
    run: async (scope, input) => (await createTask(scope, input)).value,
  }),
  changingTool({
    name: 'comment_on_task',
    title: 'Comment on a task',
    description: 'Writes a comment on one task, which all who see the task may read.',
    operation: 'createTaskComment',
    target: { by: 'id', read: 'get_task' },
    scope: 'tasks:write',
    reads: 'tasks:read',
    input: Type.Object({ id, ...commentBody.properties }),
    run: (scope, input) => addComment(scope, input.id, input.text),
  }),
];
