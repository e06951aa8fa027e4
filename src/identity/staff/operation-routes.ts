import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { journal, journalQuery, readJournalPage } from '#journal';
import { withIdempotency } from '../../platform/http/idempotency.ts';
import { answerPage, newestFirst } from '../../platform/http/page.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { serviceTeam } from '../../platform/journal/record.ts';
import type { Staff } from './context.ts';
import { type By, getPerson, getQuotas, getTeam, helpPerson, listPeople, listTeams, putQuotas, setSuspended } from './operations.ts';
import { attemptOf, bodyLimit, byStaff, originOf } from './request-context.ts';
import * as schemas from './schemas.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/staff';
const tags = ['Staff operations'];
/** Rows in a page, for all lists of the whole service. */
const pageSize = 500;

/** Returns the member of staff who sends the request. */
export const by = (request: FastifyRequest): By => {
  const { actor, sessionId, proof } = principalOf(request);
  return { actor, sessionId, proof, origin: originOf(request), once: (db, work) => withIdempotency(attemptOf(request), db, work) };
};

const placeOf = ({ createdAt, id }: { createdAt: string; id: string }) => [createdAt, id];

/** Staff operations on teams and users. All are recorded in the journal of the team. */
export function operationRoutes(app: App, staff: Staff): void {
  app.get(
    `${prefix}/teams`,
    {
      config: byStaff,
      schema: {
        operationId: 'listTeams',
        summary: 'List teams, newest first',
        tags,
        querystring: schemas.teamsQuery,
        response: { 200: Type.Array(schemas.team) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const { q = null, status = null, ...page } = query;
        const place = newestFirst(page, pageSize);
        const found = await listTeams(staff, by(request), { ...place, q, status });
        return { found, limit: place.limit, keyOf: placeOf };
      }),
  );
  app.get(
    `${prefix}/teams/:id`,
    {
      config: byStaff,
      schema: { operationId: 'getTeamAsStaff', summary: 'A team', tags, params: idParams, response: { 200: schemas.team } },
    },
    (request) => getTeam(staff, by(request), request.params.id),
  );
  for (const [path, operationId, suspended, summary] of [
    ['suspend', 'suspendTeam', true, 'Suspend a team'],
    ['restore', 'restoreTeam', false, 'Restore a suspended team'],
  ] as const) {
    app.post(
      `${prefix}/teams/:id/${path}`,
      {
        config: byStaff,
        bodyLimit,
        schema: { operationId, summary, tags, params: idParams, body: schemas.reasonBody, response: { 200: schemas.team } },
      },
      (request) => setSuspended(staff, by(request), request.params.id, suspended, request.body.reason),
    );
  }

  app.get(
    `${prefix}/teams/:id/quotas`,
    {
      config: byStaff,
      schema: {
        operationId: 'getTeamQuotas',
        summary: 'List the quotas of a team',
        tags,
        params: idParams,
        response: { 200: schemas.teamQuotas },
      },
    },
    (request) => getQuotas(staff, by(request), request.params.id),
  );
  app.put(
    `${prefix}/teams/:id/quotas`,
    {
      config: byStaff,
      bodyLimit,
      schema: {
        operationId: 'updateTeamQuotas',
        summary: 'Change the quotas of a team',
        tags,
        params: idParams,
        body: schemas.quotasBody,
        response: { 200: schemas.teamQuotas },
      },
    },
    (request) => putQuotas(staff, by(request), request.params.id, request.body.quotas, request.body.reason),
  );

  app.get(
    `${prefix}/users`,
    {
      config: byStaff,
      schema: {
        operationId: 'listUsers',
        summary: 'List users, newest first',
        tags,
        querystring: schemas.peopleQuery,
        response: { 200: Type.Array(schemas.person) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const { q = null, teamId = null, ...page } = query;
        const place = newestFirst(page, pageSize);
        const found = await listPeople(staff, by(request), { ...place, q, team: teamId });
        return { found, limit: place.limit, keyOf: placeOf };
      }),
  );
  app.get(
    `${prefix}/users/:id`,
    {
      config: byStaff,
      schema: { operationId: 'getUser', summary: 'A user', tags, params: idParams, response: { 200: schemas.person } },
    },
    (request) => getPerson(staff, by(request), request.params.id),
  );
  for (const [path, operationId, how, summary] of [
    ['unlock', 'unlockUser', 'unlock', 'Unlock a user'],
    ['disable-2fa', 'disableTwoFactorOfUser', 'disableTwoFactor', 'Turn off a user’s second factor'],
    ['revoke-sessions', 'revokeSessionsOfUser', 'signOut', 'End all sessions of a user'],
  ] as const) {
    app.post(
      `${prefix}/users/:id/${path}`,
      {
        config: byStaff,
        bodyLimit,
        schema: { operationId, summary, tags, params: idParams, body: schemas.reasonBody, response: { 200: schemas.person } },
      },
      (request) => helpPerson(staff, by(request), request.params.id, how, request.body.reason),
    );
  }

  app.get(
    `${prefix}/audit`,
    {
      config: byStaff,
      schema: {
        operationId: 'listServiceJournal',
        summary: 'List the journal of the service',
        tags,
        querystring: journalQuery,
        response: { 200: journal },
      },
    },
    (request) =>
      readJournalPage(
        { ...by(request).origin, actor: principalOf(request).actor, db: staff.database.reader(serviceTeam), team: serviceTeam },
        request.query,
      ),
  );
}
