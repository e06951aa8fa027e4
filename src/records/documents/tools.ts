import { Type } from 'typebox';
import { searchFilter } from '../../platform/http/page.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { cursor, limitTo, recordedReadTool, pageOf, readingTool, type Tool } from '../../platform/tools.ts';
import { listDocuments, pageWanted } from './lists.ts';
import { exactFilters } from './schemas.ts';
import { hitsByRole, recordFound, searchDocuments, searchQuery } from './search/index.ts';
import { getDocument } from './service.ts';
import { maxTextBytes, readText } from './text.ts';
import { listVersions } from './versions.ts';

const needs = 'documents:read';
const id = Type.String({ description: 'The identifier of a document' });

const tools: readonly Tool[] = [
  readingTool({
    name: 'search_documents',
    title: 'Search documents',
    description:
      'Lists readable documents, the last changed first. Filters by a part of the title, folder, status or time of the last change.',
    operation: 'listDocuments',
    scope: needs,
    input: Type.Object({
      ...searchFilter('title'),
      folderId: Type.Optional(Type.String({ description: 'Only documents in this folder' })),
      ...exactFilters,
      updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Changed at this time or later' })),
      limit: limitTo(100, 20),
      cursor,
    }),
    run: async (scope, { limit, cursor: from, ...filters }) =>
      pageOf(await listDocuments(scope, filters, pageWanted({ sort: '-updatedAt', limit, cursor: from }))),
  }),
  recordedReadTool({
    name: 'find_in_documents',
    title: 'Find documents by their text',
    description:
      'Searches titles and the text of newest versions of readable documents, the best match first, with the text around each match. Supports "a phrase" in quotes, `or` and `-without`.',
    operation: 'searchDocuments',
    scope: needs,
    input: Type.Object({ q: searchQuery.q, limit: limitTo(50, 10), cursor }),
    run: async (scope, input) => {
      const { hits, next } = await searchDocuments(scope, input);
      await recordFound(scope, await hitsByRole(scope, hits));
      return { items: hits, more: next !== undefined, ...(next === undefined ? {} : { nextCursor: next }) };
    },
  }),
  readingTool({
    name: 'get_document',
    title: 'Read a document',
    description: 'Shows one document: its title, status, folder, owner and newest version, without the text of the file.',
    operation: 'getDocument',
    scope: needs,
    input: Type.Object({ id }),
    run: async (scope, input) => (await getDocument(scope, input.id)).value,
  }),
  readingTool({
    name: 'list_document_versions',
    title: 'List the versions of a document',
    description: 'Lists the versions of one document with number, size, hash, time and creator of each.',
    operation: 'listDocumentVersions',
    scope: needs,
    input: Type.Object({ id }),
    run: async (scope, input) => ({ items: await listVersions(scope, input.id), more: false }),
  }),
];

const textTool = (storage: Storage): Tool =>
  recordedReadTool({
    name: 'read_document_text',
    title: 'Read the text of a document',
    description:
      'Reads the text of the newest or the given version of a document, from a byte on. It reads text files, such as plain text, Markdown, CSV, JSON and XML, in UTF-8 or UTF-16. PDF, Word and images give `document_not_text`.',
    operation: 'downloadDocument',
    scope: needs,
    input: Type.Object({
      id,
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The newest by default' })),
      from: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'The first byte: `next` of the previous part',
      }),
      bytes: Type.Integer({ minimum: 1_024, maximum: maxTextBytes, default: 65_536, description: 'The maximum number of bytes' }),
    }),
    run: (scope, { id: document, version, from, bytes }) => readText(scope, storage, { id: document, version }, { from, bytes }),
  });

/** Tools for documents that models can call. */
export const documentTools = (storage: Storage): readonly Tool[] => [...tools, textTool(storage)];
