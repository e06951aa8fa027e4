import { Type } from 'typebox';
import { changing, created, creating } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, idsFilter, pageQuery, sendPage } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { deleteFolder, restoreFolder } from './bin.ts';
import { accessList, revokedGrant, revokeQuery } from '#access';
import { createBody, folder, moveBody, share, shareBody, updateBody } from './schemas.ts';
import { createFolder, getFolder, listFolders, moveFolder, updateFolder } from './service.ts';
import { folderAccess, listShares, shareFolder, unshareFolder } from './shares.ts';
import { barrierRoutes } from './barrier-routes.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/smartdoc/folders';
const read = { access: { kind: 'user', scope: 'folders:read' } } as const;
const write = { access: { kind: 'user', scope: 'folders:write' } } as const;
const tags = ['Folders'];
const success = Type.Object({ success: Type.Boolean() }, { title: 'Success' });

/** The routes of folders. `maxDocuments` is the maximum number of documents whose barrier one request changes. */
export function folderRoutes(app: App, maxDocuments: number): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listFolders',
        summary: 'List folders',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery, ...idsFilter }),
        response: { 200: Type.Array(folder) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listFolders(scope, changePage(query), query)),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: { operationId: 'createFolder', summary: 'Create a folder', tags, body: createBody, response: { 201: folder } },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createFolder(scope, request.body)),
  );

  app.get(
    `${prefix}/:id`,
    { config: read, schema: { operationId: 'getFolder', summary: 'Read a folder', tags, params: idParams, response: { 200: folder } } },
    (request, reply) => withEtag(reply, getFolder(reading(request), request.params.id)),
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateFolder',
        summary: 'Change a folder',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: folder },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => updateFolder(scope, request.params.id, request.body, { expect: ifMatch(request), maxDocuments })),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteFolder',
        summary: 'Move a folder to the bin',
        tags,
        params: idParams,
        querystring: Type.Object({ recursive: Type.Optional(Type.Boolean({ description: 'Also move everything below it' })) }),
        response: { 200: success },
      },
    },
    async (request) => {
      await writing(request, (scope) =>
        deleteFolder(scope, request.params.id, request.query.recursive ? 'recursive' : 'empty-only', ifMatch(request)),
      );
      return { success: true };
    },
  );

  app.patch(
    `${prefix}/:id/move`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'moveFolder',
        summary: 'Move a folder',
        tags,
        params: idParams,
        body: moveBody,
        response: { 200: folder },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        moveFolder(scope, request.params.id, request.body.parentId, { expect: ifMatch(request), maxDocuments }),
      ),
  );

  app.post(
    `${prefix}/:id/restore`,
    {
      config: write,
      schema: { operationId: 'restoreFolder', summary: 'Restore a folder', tags, params: idParams, response: { 200: folder } },
    },
    (request, reply) => changing(request, reply, (scope) => restoreFolder(scope, request.params.id)),
  );

  app.get(
    `${prefix}/:id/shares`,
    {
      config: read,
      schema: {
        operationId: 'listFolderShares',
        summary: 'List the shares of a folder',
        tags,
        params: idParams,
        response: { 200: Type.Array(share) },
      },
    },
    (request) => listShares(reading(request), request.params.id),
  );

  app.post(
    `${prefix}/:id/shares`,
    {
      config: write,
      schema: {
        operationId: 'shareFolder',
        summary: 'Share a folder',
        tags,
        params: idParams,
        body: shareBody,
        response: { 201: share },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => shareFolder(scope, request.params.id, request.body));
      return created(reply, `${prefix}/${made.folderId}/shares`, made);
    },
  );

  app.delete(
    `${prefix}/:id/shares/:shareId`,
    {
      config: write,
      schema: {
        operationId: 'deleteFolderShare',
        summary: 'Revoke a share of a folder',
        tags,
        params: Type.Object({ id: Type.String(), shareId: Type.String() }),
        querystring: revokeQuery,
        response: { 200: revokedGrant },
      },
    },
    (request) => writing(request, (scope) => unshareFolder(scope, request.params.id, request.params.shareId, request.query)),
  );

  app.get(
    `${prefix}/:id/access`,
    {
      config: read,
      schema: {
        operationId: 'listFolderAccess',
        summary: 'List who has access to a folder',
        tags,
        params: idParams,
        response: { 200: accessList },
      },
    },
    (request) => folderAccess(reading(request), request.params.id),
  );

  app.delete(
    `${prefix}/:id/access/:grantId`,
    {
      config: write,
      schema: {
        operationId: 'revokeFolderGrant',
        summary: 'Revoke access to a folder',
        tags,
        params: Type.Object({ id: Type.String(), grantId: Type.String() }),
        querystring: revokeQuery,
        response: { 200: revokedGrant },
      },
    },
    (request) => writing(request, (scope) => unshareFolder(scope, request.params.id, request.params.grantId, request.query)),
  );

  barrierRoutes(app, maxDocuments);
}
