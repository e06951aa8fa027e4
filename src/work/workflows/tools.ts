import { Type } from 'typebox';
import { sortedPage } from '../../platform/http/page.ts';
import { changingTool, cursor, limitTo, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { filters } from './schemas.ts';
import { getWorkflow, listWorkflows } from './service.ts';
import { startWorkflow } from './transitions.ts';

const id = Type.String({ description: 'The identifier of a workflow' });

/** The tools of agents and other programs that use a language model. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_workflows',
    title: 'List workflows',
    description:
      'Lists the workflows that the caller may see, with their steps, last changed first. Filters: status, type, assignee, document, overdue, changed since a time.',
    operation: 'listWorkflows',
    scope: 'workflows:read',
    input: Type.Object({ ...filters, limit: limitTo(50, 10), cursor }),
    run: async (scope, { limit, cursor: from, ...wanted }) =>
      pageOf(await listWorkflows(scope, wanted, sortedPage({ limit, cursor: from, sort: '-updatedAt' }, '-updatedAt'))),
  }),
  readingTool({
    name: 'get_workflow',
    title: 'Read a workflow',
    description: 'Shows one workflow with its steps, their assignees and outcomes, and its due date.',
    operation: 'getWorkflow',
    scope: 'workflows:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await getWorkflow(scope, input.id)).value,
  }),
  changingTool({
    name: 'start_workflow',
    title: 'Start a workflow',
    description: 'Starts a draft workflow: its first steps begin, and their assignees are notified.',
    operation: 'startWorkflow',
    target: { by: 'id', read: 'get_workflow' },
    scope: 'workflows:write',
    reads: 'workflows:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await startWorkflow(scope, input.id)).value,
  }),
];
