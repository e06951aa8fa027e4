import { Type } from 'typebox';
import { changePage } from '../../platform/http/page.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import type { Scope } from '../../platform/scope.ts';
import { changingTool, cursor, limitTo, recordedReadTool, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import type { AccessibleRegistry } from './access.ts';
import { registryRead } from './events.ts';
import { createBody, createRecord, findRecord, listFilters, listRecords, shown } from './records/index.ts';
import { getRegistry, listRegistries } from './service.ts';

const needs = 'registries:read';
const id = Type.String({ description: 'The identifier of a registry' });
const registryId = id;

/** Adds a journal entry if the actor read records only because of their role. */
async function recordReading(scope: Scope, { registry, access }: AccessibleRegistry): Promise<void> {
  if (access.via === 'role') await recordAudit(scope, registryRead, registry.id, roleOnly);
}

/** The tools of registries for AI models. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_registries',
    title: 'List registries',
    description: 'Lists the accessible registries with their fields, oldest first.',
    operation: 'listRegistries',
    scope: needs,
    input: Type.Object({ limit: limitTo(100, 20), cursor }),
    run: async (scope, page) => pageOf(await listRegistries(scope, changePage(page))),
  }),
  readingTool({
    name: 'get_registry',
    title: 'Read a registry',
    description: 'Returns one registry with its fields, its owner and its access.',
    operation: 'getRegistry',
    scope: needs,
    input: Type.Object({ id }),
    run: async (scope, input) => (await getRegistry(scope, input.id)).value,
  }),
  recordedReadTool({
    name: 'search_registry_records',
    title: 'Search the records of a registry',
    description:
      'Lists records of a registry by words, filters on fields, or time of change. `get_registry` returns the fields for filters and `sort`.',
    operation: 'listRegistryRecords',
    scope: needs,
    input: Type.Object({
      registryId,
      ...listFilters,
      sort: Type.Optional(
        Type.String({ maxLength: 80, description: '`createdAt`, `updatedAt` or the id of a field; a minus reverses the order' }),
      ),
      limit: limitTo(100, 20),
      cursor,
    }),
    run: async (scope, { registryId: registry, ...query }) => {
      const found = await listRecords(scope, registry, query);
      await recordReading(scope, found);
      return pageOf(found.page);
    },
  }),
  recordedReadTool({
    name: 'get_registry_record',
    title: 'Read a record of a registry',
    description: 'Returns one record of a registry with its values, creator, last editor and times.',
    operation: 'getRegistryRecord',
    scope: needs,
    input: Type.Object({ registryId, id: Type.String({ description: 'The identifier of a record' }) }),
    run: async (scope, input) => {
      const found = await findRecord(scope, input.registryId, input.id);
      await recordReading(scope, found);
      return shown(found).value;
    },
  }),
  changingTool({
    name: 'create_registry_record',
    title: 'Create a record in a registry',
    description: 'Creates a record in a registry. `get_registry` describes its fields.',
    operation: 'createRegistryRecord',
    target: { by: 'registryId', read: 'get_registry', as: 'id' },
    scope: 'registries:write',
    reads: needs,
    input: Type.Object({ registryId, ...createBody.properties }),
    run: async (scope, input) => (await createRecord(scope, input.registryId, input.data)).value,
  }),
];
