import { Type } from 'typebox';
import { managers } from '#accounts';
import { changing, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, placedPage } from '../../platform/http/page.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { quotaUse, usageOf } from '../../platform/limits/usage.ts';
import { problems } from '../../platform/problems.ts';
import { isConfined } from '../../platform/scope.ts';
import type { Teams } from './accept.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { getMember, leave, listMembers, removeMember, updateMember } from './members.ts';
import { getPolicy, putPolicy } from './sign-in-rules.ts';
import * as schemas from './schemas.ts';
import { getTeam, updateTeam } from './service.ts';

const prefix = '/api/v1/team';
const tags = ['Team'];
const read = { access: { kind: 'user', scope: 'team:read' } } as const;
// An API client can invite, but cannot change the team or its members.
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;

export function teamRoutes(app: App, accounts: Teams): void {
  app.get(
    prefix,
    { config: read, schema: { operationId: 'getTeam', summary: 'Read one’s team', tags, response: { 200: schemas.team } } },
    (request, reply) => withEtag(reply, getTeam(reading(request))),
  );

  app.get(
    `${prefix}/usage`,
    {
      // The counts cover the whole team and would reveal hidden resources to a member or
      // to an API client confined to folders. An error names only the quota concerned.
      config: { access: { ...read.access, roles: managers } },
      schema: {
        operationId: 'getTeamUsage',
        summary: 'List the quotas of the team',
        tags,
        response: { 200: Type.Object({ quotas: Type.Array(quotaUse) }, { additionalProperties: false, title: 'TeamUsage' }) },
      },
    },
    async (request) => {
      const { db, team, now, actor } = reading(request);
      if (isConfined(actor)) throw problems.forbidden('This API client is confined to folders. The usage counts the whole team.');
      return { quotas: await usageOf(db, team, now, app.writesOf(team)) };
    },
  );

  app.patch(
    prefix,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateTeam',
        summary: 'Change the team',
        tags,
        body: schemas.teamBody,
        response: { 200: schemas.team },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => updateTeam(scope, principalOf(request).sessionId, request.body, ifMatch(request))),
  );

  app.get(
    `${prefix}/policy`,
    {
      config: { access: { ...read.access, roles: managers } },
      schema: { operationId: 'getTeamPolicy', summary: 'Read the sign-in rules of the team', tags, response: { 200: schemas.policy } },
    },
    (request, reply) => withEtag(reply, getPolicy(reading(request))),
  );

  app.put(
    `${prefix}/policy`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'putTeamPolicy',
        summary: 'Set the sign-in rules of the team',
        tags,
        body: schemas.policy,
        response: { 200: schemas.policy },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => putPolicy(accounts, scope, principalOf(request).sessionId, request.body, ifMatch(request))),
  );

  app.post(
    `${prefix}/leave`,
    {
      // A viewer can leave too: the operation changes only the caller’s own membership.
      config: { access: { kind: 'user', scope: 'profile:write' } },
      schema: {
        operationId: 'leaveTeam',
        summary: 'Leave the team',
        tags,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => leave(accounts, scope)),
  );

  app.get(
    `${prefix}/members`,
    {
      config: read,
      schema: {
        operationId: 'listMembers',
        summary: 'List members',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery, ...schemas.memberFilters }),
        response: { 200: Type.Array(schemas.member) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async (query) => {
        const page = changePage(query);
        return { found: await listMembers(reading(request), page, query), limit: page.limit };
      }),
  );

  app.get(
    `${prefix}/members/:userId`,
    {
      config: read,
      schema: { operationId: 'getMember', summary: 'Read a member', tags, params: schemas.memberParams, response: { 200: schemas.member } },
    },
    (request, reply) => withEtag(reply, getMember(reading(request), request.params.userId)),
  );

  app.patch(
    `${prefix}/members/:userId`,
    {
      // A sponsor can change the end of a guest.
      config: { access: { ...write.access, alsoFor: ['member'] }, requiresIfMatch: true },
      schema: {
        operationId: 'updateMember',
        summary: 'Change a member',
        tags,
        params: schemas.memberParams,
        body: schemas.memberBody,
        response: { 200: schemas.member },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        updateMember(accounts, scope, principalOf(request), request.params.userId, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${prefix}/members/:userId`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member',
        tags,
        params: schemas.memberParams,
        querystring: schemas.removeQuery,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { successorId } = request.query;
      return noContent(request, reply, (scope) => removeMember(accounts, scope, request.params.userId, successorId, ifMatch(request)));
    },
  );

  invitationRoutes(app, accounts);
}
