import { Type } from 'typebox';
import { changePage } from '../../platform/http/page.ts';
import { cursor, limitTo, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { getFolder, listFolders } from './service.ts';

const needs = 'folders:read';

/** Tools for folders that models can call. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'list_folders',
    title: 'List folders',
    description: 'Lists the visible folders, oldest first, each with its parent and the number of folders and documents in it.',
    operation: 'listFolders',
    scope: needs,
    input: Type.Object({ limit: limitTo(500, 100), cursor }),
    run: async (scope, page) => pageOf(await listFolders(scope, changePage(page))),
  }),
  readingTool({
    name: 'get_folder',
    title: 'Read a folder',
    description: 'Shows one folder: its name, its owner, and the number of folders and documents in it.',
    operation: 'getFolder',
    scope: needs,
    input: Type.Object({ id: Type.String({ description: 'The identifier of a folder' }) }),
    run: async (scope, { id }) => (await getFolder(scope, id)).value,
  }),
];
