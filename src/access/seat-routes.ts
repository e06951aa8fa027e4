import { Type } from 'typebox';
import { managers } from '#accounts';
import { invitationSchema } from '#teams';
import { ifMatch, withEtag } from '../platform/http/etag.ts';
import { answerPage, idPage, pageQuery } from '../platform/http/page.ts';
import { changing, creating, noContent } from '../platform/http/responses.ts';
import { principalOf, reading } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { endAuditor, getAuditor, inviteAuditor, listAuditors, type Seats, updateAuditor, watchAuditor } from './seats.ts';

const prefix = '/api/v1/team/auditors';
const tags = ['Team'];
const read = { access: { kind: 'user', scope: 'team:read', person: true, roles: managers } } as const;
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;

/** Adds the routes of auditors and their seats, and journals each request of an auditor. */
export function seatRoutes(app: App, seats: Seats): void {
  app.addHook('preHandler', watchAuditor);

  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listAuditors',
        summary: 'List auditors',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.auditor) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listAuditors(reading(request), page);
        return { found, limit: page.limit, keyOf: ({ userId }) => [userId] };
      }),
  );

  app.post(
    prefix,
    {
      config: write,
      schema: {
        operationId: 'inviteAuditor',
        summary: 'Invite an auditor',
        tags,
        body: schemas.auditorBody,
        response: { 201: invitationSchema },
      },
    },
    (request, reply) =>
      creating(request, reply, '/api/v1/team/invitations/:id', (scope) =>
        inviteAuditor(seats, scope, principalOf(request).sessionId, request.body),
      ),
  );

  app.get(
    `${prefix}/:userId`,
    {
      config: read,
      schema: {
        operationId: 'getAuditor',
        summary: 'Read an auditor',
        tags,
        params: schemas.auditorParams,
        response: { 200: schemas.auditor },
      },
    },
    (request, reply) => withEtag(reply, getAuditor(reading(request), request.params.userId)),
  );

  app.patch(
    `${prefix}/:userId`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateAuditor',
        summary: 'Change the seat of an auditor',
        tags,
        params: schemas.auditorParams,
        body: schemas.auditorPatch,
        response: { 200: schemas.auditor },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        updateAuditor(seats, scope, principalOf(request).sessionId, request.params.userId, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${prefix}/:userId`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'endAuditor',
        summary: 'End the seat of an auditor',
        tags,
        params: schemas.auditorParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) =>
        endAuditor(seats, scope, principalOf(request).sessionId, request.params.userId, ifMatch(request)),
      ),
  );
}
