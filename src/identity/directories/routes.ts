import { Type } from 'typebox';
import { managers } from '#accounts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { answerPage, idOfCursor, idPage, pageQuery, pageSize } from '../../platform/http/page.ts';
import { changing, created, creating, noContent } from '../../platform/http/responses.ts';
import { principalOf, reading, writing, writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { largestId } from '../../platform/identifiers.ts';
import { idParams } from '../../platform/schema-parts.ts';
import type { Directories } from './context.ts';
import * as schemas from './schemas.ts';
import * as service from './service.ts';

const prefix = '/api/v1/team/directories';
const tags = ['Directories'];
const bodyLimit = 16 * 1024;
const read = { access: { kind: 'user', scope: 'team:read', person: true, roles: managers } } as const;
// A directory decides who is a member, so only a person with the role manages it.
const write = { access: { kind: 'user', scope: 'team:write', person: true, roles: managers } } as const;

/** Adds the routes by which owner and administrators manage directories. */
export function directoryRoutes(app: App, dirs: Directories): void {
  managing(app, dirs);
  tokenRoutes(app, dirs);
  userRoutes(app, dirs);
}

function managing(app: App, dirs: Directories): void {
  app.get(
    prefix,
    {
      config: read,
      schema: { operationId: 'listDirectories', summary: 'List directories', tags, response: { 200: Type.Array(schemas.directory) } },
    },
    (request) => service.listDirectories(dirs, reading(request)),
  );

  app.post(
    prefix,
    {
      config: write,
      bodyLimit,
      schema: {
        operationId: 'createDirectory',
        summary: 'Connect a directory',
        tags,
        body: schemas.directoryBody,
        response: { 201: schemas.directory },
      },
    },
    (request, reply) =>
      creating(request, reply, `${prefix}/:id`, (scope) =>
        service.createDirectory(dirs, scope, principalOf(request).sessionId, request.body),
      ),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getDirectory', summary: 'Read a directory', tags, params: idParams, response: { 200: schemas.directory } },
    },
    (request, reply) => withEtag(reply, service.getDirectory(dirs, reading(request), request.params.id)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'updateDirectory',
        summary: 'Change a directory',
        tags,
        params: idParams,
        body: schemas.directoryPatch,
        response: { 200: schemas.directory },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        service.updateDirectory(dirs, scope, principalOf(request).sessionId, request.params.id, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteDirectory',
        summary: 'Delete a directory',
        tags,
        params: idParams,
        querystring: schemas.deleteQuery,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) =>
        service.deleteDirectory(scope, principalOf(request).sessionId, request.params.id, request.query.keep ?? false, ifMatch(request)),
      ),
  );
}

function tokenRoutes(app: App, dirs: Directories): void {
  app.get(
    `${prefix}/:id/tokens`,
    {
      config: read,
      schema: {
        operationId: 'listDirectoryTokens',
        summary: 'List the tokens of a directory',
        tags,
        params: idParams,
        response: { 200: Type.Array(schemas.token) },
      },
    },
    (request) => service.listTokens(dirs, reading(request), request.params.id),
  );

  app.post(
    `${prefix}/:id/tokens`,
    {
      config: write,
      bodyLimit,
      schema: {
        operationId: 'createDirectoryToken',
        summary: 'Create a token for a directory',
        tags,
        params: idParams,
        body: schemas.tokenBody,
        response: { 201: schemas.token },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) =>
        service.createToken(scope, principalOf(request).sessionId, request.params.id, request.body.expiresInDays),
      );
      return created(reply, `${prefix}/${request.params.id}/tokens`, made);
    },
  );

  app.delete(
    `${prefix}/:id/tokens/:tokenId`,
    {
      config: write,
      schema: {
        operationId: 'deleteDirectoryToken',
        summary: 'Delete a token of a directory',
        tags,
        params: schemas.tokenParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => service.deleteToken(scope, request.params)),
  );

  app.get(
    `${prefix}/:id/log`,
    {
      config: read,
      schema: {
        operationId: 'listDirectoryLog',
        summary: 'List the requests of a directory',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.logEntry) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = { before: idOfCursor(query.cursor) ?? largestId, limit: pageSize(query, 1_000) };
        const found = await service.listLog(dirs, reading(request), request.params.id, page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );
}

function userRoutes(app: App, dirs: Directories): void {
  app.get(
    `${prefix}/:id/users`,
    {
      config: read,
      schema: {
        operationId: 'listDirectoryUsers',
        summary: 'List the users of a directory',
        tags,
        params: idParams,
        querystring: Type.Object({ ...pageQuery, ...schemas.userFilter }),
        response: { 200: Type.Array(schemas.directoryUser) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const { status = null, ...rest } = query;
        const page = { status, ...idPage(rest) };
        const found = await service.listUsers(dirs, reading(request), request.params.id, page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    `${prefix}/:id/links`,
    {
      config: write,
      bodyLimit,
      schema: {
        operationId: 'linkDirectoryUser',
        summary: 'Link a user of a directory with a member',
        tags,
        params: idParams,
        body: schemas.linkBody,
        response: { 200: schemas.directoryUser },
      },
    },
    (request) =>
      writing(request, (scope) => service.linkUser(dirs, scope, principalOf(request).sessionId, request.params.id, request.body)),
  );

  app.post(
    `${prefix}/:id/restore`,
    {
      config: { ...write, lenientBody: true },
      schema: {
        operationId: 'restoreDirectoryUsers',
        summary: 'Restore deactivated users',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => service.restoreUsers(scope, principalOf(request).sessionId, request.params.id)),
  );

  app.post(
    `${prefix}/restore`,
    {
      config: { access: { kind: 'public' } },
      bodyLimit,
      schema: {
        operationId: 'restoreDirectoryUsersByLink',
        summary: 'Restore deactivated users by a link',
        tags,
        body: schemas.restoreBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await writingPublic(request, (scope) => service.restoreByLink(scope, request.body.token));
      reply.code(204);
      return null;
    },
  );
}
