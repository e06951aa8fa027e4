import { Type } from 'typebox';
import { sortedPage } from '../../platform/http/page.ts';
import { changingTool, cursor, limitTo, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { filters } from './schemas.ts';
import { getWorkflow, listWorkflows } from './service.ts';
import { startWorkflow } from './transitions.ts';

const id = Type.String({ description: 'The identifier of a workflow' });

/** What programs that work with a model do with workflows. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_workflows',
    title: 'List workflows',
    description:
      'Lists workflows that can be seen, with their steps, the one changed last first: of a status, kind, person or document, overdue, or changed since a time.',
    operation: 'listWorkflows',
    scope: 'workflows:read',
    input: Type.Object({ ...filters, limit: limitTo(50, 10), cursor }),
    run: async (scope, { limit, cursor: from, ...wanted }) =>
      pageOf(await listWorkflows(scope, wanted, sortedPage({ limit, cursor: from, sort: '-updatedAt' }, '-updatedAt'))),
  }),
  readingTool({
    name: 'get_workflow',
    title: 'Read a workflow',
    description: 'Shows one workflow with its steps: who has which, until when, and what was decided.',
    operation: 'getWorkflow',
    scope: 'workflows:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await getWorkflow(scope, input.id)).value,
  }),
  changingTool({
    name: 'start_workflow',
    title: 'Start a workflow',
    description: 'Starts a workflow that is a draft: its first steps begin, and whoever has them is told.',
    operation: 'startWorkflow',
    target: { by: 'id', read: 'get_workflow' },
    scope: 'workflows:write',
    reads: 'workflows:read',
    input: Type.Object({ id }),
    run: async (scope, input) => (await startWorkflow(scope, input.id)).value,
  }),
];
