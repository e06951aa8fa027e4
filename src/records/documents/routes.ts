import { Type } from 'typebox';
import { accessList, revokedGrant, revokeQuery } from '#access';
import type { Box } from '../../platform/crypto/secretbox.ts';
import { namedResults, resultsWithoutThing, writingEach } from '../../platform/http/bulk.ts';
import { changing, created, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { pageQuery, sendPage } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Scanner } from '../../platform/storage/scanner.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { commentRoutes } from './comments/index.ts';
import { restoreDocument } from './bin.ts';
import { downloadManyBody, sendArchive } from './bulk/index.ts';
import { sendContent } from '../../platform/http/downloads.ts';
import { dateRoutes } from './dates/index.ts';
import { compareRoutes } from './compare/index.ts';
import { holdRoutes } from './holds/index.ts';
import { listLabels } from './labels.ts';
import { listBin, listDocuments, pageWanted } from './lists.ts';
import { retentionRoutes } from './retention/index.ts';
import { previewRoutes } from './preview/index.ts';
import {
  binQuery,
  deleteManyBody,
  document,
  documentResults,
  grant,
  label,
  labelManyBody,
  listFilters,
  moveBody,
  moveManyBody,
  shareBody,
  updateBody,
  version,
  versionNumber,
} from './schemas.ts';
import { searchRoutes } from './search/index.ts';
import { deleteDocument, getDocument, moveDocument, moveDocuments, updateDocument } from './service.ts';
import { documentAccess, revokeGrant, shareDocument } from './sharing.ts';
import { uploadRoutes } from './upload-routes.ts';
import { contentHead, listVersions, openContent } from './versions.ts';
import { idParams } from '../../platform/schema-parts.ts';

/** `maxUploadBytes`: the largest accepted file. `places` seals the cursors of key dates. */
export type DocumentDependencies = { storage: Storage; scanner: Scanner | undefined; places: Box; maxUploadBytes: number };

const prefix = '/api/v1/smartdoc/documents';
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;
const tags = ['Documents'];
const anyVersion = () => undefined;

export function documentRoutes(app: App, { storage, scanner, places, maxUploadBytes }: DocumentDependencies): void {
  commentRoutes(app, prefix);
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listDocuments',
        summary: 'List documents',
        tags,
        querystring: Type.Object({ ...pageQuery, ...listFilters }),
        response: { 200: Type.Array(document) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, ...filters }) =>
        listDocuments(scope, filters, pageWanted({ limit, cursor, sort })),
      ),
  );

  app.get(
    `${prefix}/bin`,
    {
      config: read,
      schema: {
        operationId: 'listDocumentBin',
        summary: 'List the documents in the bin',
        tags,
        querystring: Type.Object({ ...pageQuery, ...binQuery }),
        response: { 200: Type.Array(document) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listBin(scope, pageWanted(query))),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getDocument', summary: 'Read a document', tags, params: idParams, response: { 200: document } },
    },
    (request, reply) => withEtag(reply, getDocument(reading(request), request.params.id)),
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateDocument',
        summary: 'Change a document',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: document },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateDocument(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.patch(
    `${prefix}/:id/move`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'moveDocument',
        summary: 'Move a document',
        tags,
        params: idParams,
        body: moveBody,
        response: { 200: document },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => moveDocument(scope, request.params.id, request.body.folderId, ifMatch(request))),
  );

  app.post(
    `${prefix}/move`,
    {
      config: write,
      schema: {
        operationId: 'moveDocuments',
        summary: 'Move several documents',
        tags,
        body: moveManyBody,
        response: { 200: Type.Array(document) },
      },
    },
    (request) => writing(request, (scope) => moveDocuments(scope, request.body.documentIds, request.body.folderId)),
  );

  app.post(
    `${prefix}/label`,
    {
      config: write,
      schema: {
        operationId: 'labelDocuments',
        summary: 'Replace the labels of several documents',
        tags,
        body: labelManyBody,
        response: { 200: documentResults },
      },
    },
    async (request) =>
      namedResults(
        await writingEach(request, request.body.items, {
          path: (id) => `${prefix}/${id}`,
          work: async (scope, { id, labels }) => (await updateDocument(scope, id, { labels }, anyVersion)).value,
        }),
        'document',
      ),
  );

  app.post(
    `${prefix}/delete`,
    {
      config: write,
      schema: {
        operationId: 'deleteDocuments',
        summary: 'Move several documents to the bin',
        tags,
        body: deleteManyBody,
        response: { 200: resultsWithoutThing },
      },
    },
    async (request) => ({
      results: await writingEach(request, request.body.items, {
        path: (id) => `${prefix}/${id}`,
        // Null is stored for a repetition with the same key.
        work: async (scope, { id }) => (await deleteDocument(scope, id, anyVersion), null),
        status: 204,
      }),
    }),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteDocument',
        summary: 'Move a document to the bin',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteDocument(scope, request.params.id, ifMatch(request))),
  );

  app.get(
    `${prefix}/:id/versions`,
    {
      config: read,
      schema: {
        operationId: 'listDocumentVersions',
        summary: 'List the versions of a document',
        tags,
        params: idParams,
        response: { 200: Type.Array(version) },
      },
    },
    (request) => listVersions(reading(request), request.params.id),
  );

  app.get(
    `${prefix}/:id/content`,
    {
      config: { ...read, sendsFile: true },
      schema: {
        operationId: 'downloadDocument',
        summary: 'Download a document',
        tags,
        params: idParams,
        // Any media type: it depends on the version.
        produces: ['*/*'],
        querystring: Type.Object({ version: Type.Optional(versionNumber) }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { version: number } = request.query;
      // HEAD opens no file and records no read.
      if (request.method === 'HEAD') return sendContent(request, reply, undefined, await contentHead(reading(request), id, number));
      const found = await writing(request, (scope) => openContent(scope, id, number));
      return sendContent(request, reply, storage, found);
    },
  );

  app.post(
    `${prefix}/download`,
    {
      // A download changes nothing, so a repeated request reads again with the current rights.
      config: { access: { ...read.access, exports: true }, storesResponse: false },
      schema: {
        operationId: 'downloadDocuments',
        summary: 'Download several documents as a ZIP archive',
        tags,
        produces: ['application/zip'],
        body: downloadManyBody,
      },
    },
    (request, reply) => sendArchive(request, reply, storage, request.body),
  );

  app.post(
    `${prefix}/:id/restore`,
    {
      config: write,
      schema: {
        operationId: 'restoreDocument',
        summary: 'Restore a document',
        tags,
        params: idParams,
        response: { 200: document },
      },
    },
    (request, reply) => changing(request, reply, (scope) => restoreDocument(scope, request.params.id)),
  );

  labelRoutes(app);
  accessRoutes(app);
  searchRoutes(app, prefix);
  previewRoutes(app, prefix, storage);
  compareRoutes(app, prefix, storage);
  holdRoutes(app);
  dateRoutes(app, prefix, places);
  retentionRoutes(app);
  app.register(uploadRoutes({ storage, scanner, maxUploadBytes }));
}

function labelRoutes(app: App): void {
  app.get(
    '/api/v1/smartdoc/labels',
    {
      config: read,
      schema: { operationId: 'listDocumentLabels', summary: 'List the labels of documents', tags, response: { 200: Type.Array(label) } },
    },
    (request) => listLabels(reading(request)),
  );
}

function accessRoutes(app: App): void {
  const path = `${prefix}/:id/access`;
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'listDocumentAccess',
        summary: 'List who has access to a document',
        tags,
        params: idParams,
        response: { 200: accessList },
      },
    },
    (request) => documentAccess(reading(request), request.params.id),
  );

  app.post(
    path,
    {
      config: write,
      schema: {
        operationId: 'shareDocument',
        summary: 'Share a document',
        tags,
        params: idParams,
        body: shareBody,
        response: { 201: grant },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => shareDocument(scope, request.params.id, request.body));
      return created(reply, `${prefix}/${request.params.id}/access`, made);
    },
  );

  app.delete(
    `${path}/:grantId`,
    {
      config: write,
      schema: {
        operationId: 'revokeDocumentGrant',
        summary: 'Revoke access to a document',
        tags,
        params: Type.Object({ id: Type.String(), grantId: Type.String() }),
        querystring: revokeQuery,
        response: { 200: revokedGrant },
      },
    },
    (request) => writing(request, (scope) => revokeGrant(scope, request.params.id, request.params.grantId, request.query)),
  );
}
