import { Type } from 'typebox';
import { accountSchemas, managers } from '#accounts';
import { namedResults, writingEach } from '../../platform/http/bulk.ts';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { answerPage, idPage, pageQuery } from '../../platform/http/page.ts';
import { principalOf, reading, writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
import { acceptInvitation, previewInvitation, type Teams, waitingInvitations } from './accept.ts';
import { getInvitation, invite, listInvitations, resend, revoke } from './invitations.ts';
import * as schemas from './schemas.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/team/invitations';
const tags = ['Team'];
const read = { access: { kind: 'user', scope: 'team:read', roles: managers } } as const;
const write = { access: { kind: 'user', scope: 'team:write' } } as const;
const bodyLimit = 16 * 1024;

export function invitationRoutes(app: App, accounts: Teams): void {
  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listInvitations',
        summary: 'List invitations',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.invitationFilters }),
        response: { 200: Type.Array(schemas.invitation) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listInvitations(reading(request), query.status, page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    prefix,
    {
      // A member can invite guests, if the policy allows it.
      config: { access: { ...write.access, alsoFor: ['member'] } },
      schema: {
        operationId: 'inviteMember',
        summary: 'Invite a user by mail',
        tags,
        body: schemas.inviteBody,
        response: { 201: schemas.invitation },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => invite(accounts, scope, principalOf(request), request.body)),
  );

  app.post(
    `${prefix}/batch`,
    {
      config: write,
      schema: {
        operationId: 'inviteMembers',
        summary: 'Invite several users by mail',
        tags,
        body: schemas.inviteManyBody,
        response: { 200: schemas.invitationResults },
      },
    },
    async (request) => {
      const items = request.body.items.map((item) => ({ id: item.email, ...item }));
      const results = await writingEach(request, items, {
        path: () => prefix,
        work: async (scope, { id: _id, ...body }) => (await invite(accounts, scope, principalOf(request), body)).value,
        status: 201,
      });
      return { results: namedResults(results, 'invitation').results.map(({ id, ...result }) => ({ email: id, ...result })) };
    },
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: {
        operationId: 'getInvitation',
        summary: 'Read an invitation',
        tags,
        params: idParams,
        response: { 200: schemas.invitation },
      },
    },
    (request, reply) => withEtag(reply, getInvitation(reading(request), request.params.id)),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteInvitation',
        summary: 'End an invitation',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => revoke(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/resend`,
    {
      config: write,
      schema: {
        operationId: 'resendInvitation',
        summary: 'Send an invitation again',
        tags,
        params: idParams,
        response: { 200: schemas.invitation },
      },
    },
    (request, reply) => changing(request, reply, (scope) => resend(accounts, scope, principalOf(request).sessionId, request.params.id)),
  );

  app.get(
    `${prefix}/received`,
    {
      config: { access: { kind: 'user', scope: 'profile:read' } },
      schema: {
        operationId: 'listWaitingInvitations',
        summary: 'List invitations to your own address',
        tags,
        response: { 200: Type.Array(schemas.waiting) },
      },
    },
    (request) => {
      const { actor, sessionId: session } = principalOf(request);
      return waitingInvitations(reading(request), app.database, { id: actor.id, session });
    },
  );

  app.post(
    `${prefix}/preview`,
    {
      config: { access: { kind: 'public' } },
      bodyLimit,
      schema: {
        operationId: 'previewInvitation',
        summary: 'Preview an invitation',
        tags,
        body: schemas.tokenBody,
        response: { 200: schemas.preview },
      },
    },
    (request) => previewInvitation(accounts, app.database, request.body.token, clientIp(request)),
  );

  app.post(
    `${prefix}/accept`,
    {
      config: { access: { kind: 'public', credential: 'optional' } },
      bodyLimit,
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        tags,
        body: schemas.acceptBody,
        response: { 200: accountSchemas.signedIn, 201: accountSchemas.signedIn },
      },
    },
    async (request, reply) => {
      const device = {
        ip: clientIp(request),
        userAgent: request.headers['user-agent'],
        language: preferredLanguage(request.headers['accept-language']),
      };
      const { how, signedIn: session } = await acceptInvitation(
        accounts,
        app.database,
        (work) => writingPublic(request, work),
        request.body,
        device,
        request.principal,
      );
      reply.code(how === 'joined' ? 200 : 201);
      return accounts.cookie.keep(reply, session);
    },
  );
}
