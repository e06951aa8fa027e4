import { Type } from 'typebox';
import { created } from '../../../platform/http/responses.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { bodyLimit, prefix, signedIn, tags } from '../request-context.ts';
import * as schemas from '../schemas.ts';
import { switchTeam } from '../sign-in/switch-team.ts';
import { createTeam, teamsOf } from './own-teams.ts';

/** The teams of a user: listing, creating and switching. */
export function teamRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/teams`,
    {
      config: signedIn,
      schema: { operationId: 'listMyTeams', summary: 'List your teams', tags, response: { 200: Type.Array(schemas.ownTeam) } },
    },
    (request) => {
      const { actor, sessionId } = principalOf(request);
      return teamsOf(reading(request), actor.id, sessionId);
    },
  );

  app.post(
    `${prefix}/teams`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'createTeam',
        summary: 'Create a team',
        tags,
        body: schemas.teamBody,
        response: { 201: schemas.ownTeam },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      const team = await writing(request, (scope) => createTeam(scope, actor.id, sessionId, request.body.name));
      return created(reply, `${prefix}/teams`, team);
    },
  );

  app.post(
    `${prefix}/switch-team`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'switchTeam',
        summary: 'Switch to another team',
        tags,
        body: schemas.switchBody,
        response: { 200: schemas.accessToken },
      },
    },
    (request) => {
      const { actor, sessionId } = principalOf(request);
      return writing(request, (scope) => switchTeam(accounts, scope, { account: actor.id, session: sessionId }, request.body.teamId));
    },
  );
}
