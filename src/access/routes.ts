import { managers } from '#accounts';
import { Type } from 'typebox';
import { changing, created, creating, noContent } from '../platform/http/responses.ts';
import { ifMatch, withEtag } from '../platform/http/etag.ts';
import { answerPage, changePage, changeQuery, idPage, pageQuery, placedPage } from '../platform/http/page.ts';
import { reading, writing } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroups,
  removeGroupMember,
  updateGroup,
  usesOfGroup,
} from './groups.ts';
import * as schemas from './schemas.ts';
import { idParams } from '../platform/schema-parts.ts';

const prefix = '/api/v1/groups';
const tags = ['Groups'];
const read = { access: { kind: 'user', scope: 'team:read' } } as const;
// Group membership gives access, so only a user with the role can change it.
const write = { access: { kind: 'user', scope: 'team:write', person: true, roles: managers } } as const;

/** Adds the routes of groups. Resources can be shared with groups. */
export function groupRoutes(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listGroups',
        summary: 'List groups',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(schemas.group) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async (query) => {
        const page = changePage(query);
        return { found: await listGroups(reading(request), page), limit: page.limit };
      }),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: { operationId: 'createGroup', summary: 'Create a group', tags, body: schemas.groupBody, response: { 201: schemas.group } },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createGroup(scope, request.body)),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getGroup', summary: 'Read a group', tags, params: idParams, response: { 200: schemas.group } },
    },
    (request, reply) => withEtag(reply, getGroup(reading(request), request.params.id)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateGroup',
        summary: 'Update a group',
        tags,
        params: idParams,
        body: schemas.groupPatch,
        response: { 200: schemas.group },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateGroup(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteGroup',
        summary: 'Delete a group',
        tags,
        params: idParams,
        querystring: schemas.deleteGroupQuery,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteGroup(scope, request.params.id, ifMatch(request), request.query)),
  );

  app.get(
    `${prefix}/:id/uses`,
    {
      config: { access: { ...write.access, scope: 'team:read' } },
      schema: {
        operationId: 'getGroupUses',
        summary: 'Count the uses of a group',
        tags,
        params: idParams,
        response: { 200: schemas.groupUses },
      },
    },
    (request) => usesOfGroup(reading(request), request.params.id),
  );

  memberRoutes(app);
}

function memberRoutes(app: App): void {
  app.get(
    `${prefix}/:id/members`,
    {
      config: read,
      schema: {
        operationId: 'listGroupMembers',
        summary: 'List the members of a group',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.groupMember) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listGroupMembers(reading(request), request.params.id, page);
        return { found, limit: page.limit, keyOf: ({ userId }) => [userId] };
      }),
  );

  app.post(
    `${prefix}/:id/members`,
    {
      config: write,
      schema: {
        operationId: 'addGroupMember',
        summary: 'Add a member to a group',
        tags,
        params: idParams,
        body: schemas.groupMemberBody,
        response: { 201: schemas.groupMember },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => addGroupMember(scope, request.params.id, request.body.userId));
      return created(reply, `${prefix}/${request.params.id}/members`, made);
    },
  );

  app.delete(
    `${prefix}/:id/members/:userId`,
    {
      config: write,
      schema: {
        operationId: 'removeGroupMember',
        summary: 'Remove a member from a group',
        tags,
        params: schemas.groupMemberParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => removeGroupMember(scope, request.params.id, request.params.userId)),
  );
}
