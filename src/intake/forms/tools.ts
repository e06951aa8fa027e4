import { Type } from 'typebox';
import { changePage } from '../../platform/http/page.ts';
import type { Scope } from '../../platform/scope.ts';
import { cursor, limitTo, recordedReadTool, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import type { AccessibleForm } from './queries.ts';
import { filters } from './schemas.ts';
import { getInterface, listInterfaces } from './service.ts';
import {
  getSubmission,
  listSubmissions,
  recordSubmissionRead,
  pageWanted,
  submissionFilters,
  withSubmissions,
} from './submissions/index.ts';

const needs = 'interfaces:read';
const interfaceId = Type.String({ description: 'The identifier of an interface' });

/** Returns a form whose submissions the actor can read. Records access that only a role allows. Throws 403, 404. */
async function opened(scope: Scope, id: string): Promise<AccessibleForm> {
  const found = await withSubmissions(scope, id);
  await recordSubmissionRead(scope, { interfaceId: found.row.id, ...found.access.byRole('view_submissions') });
  return found;
}

/** The MCP tools for interfaces and submissions. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_interfaces',
    title: 'List interfaces',
    description: 'Lists the accessible forms, booking forms and registry forms, oldest first. Filters by status and type.',
    operation: 'listInterfaces',
    scope: needs,
    input: Type.Object({ ...filters, limit: limitTo(100, 20), cursor }),
    run: async (scope, { limit, cursor: from, ...wanted }) =>
      pageOf(await listInterfaces(scope, wanted, changePage({ limit, cursor: from }))),
  }),
  readingTool({
    name: 'get_interface',
    title: 'Read about an interface',
    description: 'Returns one interface with its fields, its state and the effects of its submissions.',
    operation: 'getInterface',
    scope: needs,
    input: Type.Object({ id: interfaceId }),
    run: async (scope, { id }) => (await getInterface(scope, id)).value,
  }),
  recordedReadTool({
    name: 'list_submissions',
    title: 'List submissions',
    description: 'Lists the submissions of one interface with their answers, newest first. Filters by status and by time.',
    operation: 'listSubmissions',
    scope: needs,
    input: Type.Object({ interfaceId, ...submissionFilters, limit: limitTo(100, 20), cursor }),
    run: async (scope, { interfaceId: of, limit, cursor: from, ...wanted }) =>
      pageOf(await listSubmissions(scope, [(await opened(scope, of)).row.id], wanted, pageWanted({ limit, cursor: from }))),
  }),
  recordedReadTool({
    name: 'get_submission',
    title: 'Read a submission',
    description: 'Returns one submission with its answers, the names of its files, and its effects.',
    operation: 'getSubmission',
    scope: needs,
    input: Type.Object({ interfaceId, id: Type.String({ description: 'The identifier of a submission' }) }),
    run: async (scope, input) => getSubmission(scope, await opened(scope, input.interfaceId), input.id),
  }),
];
