import { Type } from 'typebox';
import { answerPage, newestFirst, pageQuery } from '../../../platform/http/page.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Accounts } from '../context.ts';
import { listSessions } from '../queries.ts';
import { bodyLimit, contextOf, deviceOf, open, prefix, publicly, signedIn, tags } from '../request-context.ts';
import { endOtherSignIn } from './credentials.ts';
import { login } from './login.ts';
import { logout, refresh } from './refresh.ts';
import * as schemas from '../schemas.ts';

const sessionPageSize = 500;

export function signInRoutes(app: App, accounts: Accounts): void {
  app.post(
    `${prefix}/login`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'login',
        summary: 'Sign in with a password',
        tags,
        body: schemas.loginBody,
        response: { 200: Type.Union([schemas.signedIn, schemas.challenge]) },
      },
    },
    async (request, reply) => {
      const device = { ...deviceOf(request), refreshCookie: accounts.cookie.read(request), pass: accounts.pass.read(request) };
      const signed = await login(accounts, app.database, contextOf(request), request.body, device);
      if ('challengeId' in signed) return signed;
      return accounts.cookie.keep(reply, signed);
    },
  );

  app.post(
    `${prefix}/refresh`,
    {
      config: { ...open, errorShape: 'oauth', lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'refresh',
        summary: 'Renew the tokens',
        tags,
        body: schemas.refreshBody,
        response: { 200: schemas.tokens },
      },
    },
    async (request, reply) => {
      const given = schemas.tokenIn(request.body);
      if (given === undefined) accounts.cookie.refuseForeignPage(request);
      try {
        const answer = await refresh(
          accounts,
          app.database,
          publicly(request),
          given ?? accounts.cookie.read(request),
          schemas.teamIn(request.body),
        );
        accounts.cookie.set(reply, answer.refreshToken);
        return answer;
      } catch (error) {
        // After a concurrent refresh the browser may already have a newer cookie, which must stay.
        if (error instanceof Problem && error.status === 401 && error.code !== 'refresh_token_superseded') accounts.cookie.clear(reply);
        throw error;
      }
    },
  );

  app.post(
    `${prefix}/logout`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: { operationId: 'logout', summary: 'Sign out', tags, body: schemas.logoutBody, response: { 200: schemas.message } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const token = schemas.tokenIn(request.body) ?? accounts.cookie.read(request);
      await writing(request, (scope) => logout(accounts, scope, principal.sessionId, principal.actor.id, token));
      accounts.cookie.clear(reply);
      return { message: 'You are signed out.' };
    },
  );

  app.get(
    `${prefix}/sessions`,
    {
      config: signedIn,
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.session) },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      const scope = reading(request);
      const page = await answerPage(reply, request, async (query) => {
        const place = newestFirst(query, sessionPageSize);
        const found = await scope.db.all(listSessions, { team: scope.team, session: sessionId, account: actor.id, ...place });
        return { found, limit: place.limit, keyOf: ({ last_used_at, id }: (typeof found)[number]) => [last_used_at, id] };
      });
      return page.map((row) => ({
        id: row.id,
        current: row.id === sessionId,
        ...(row.ip === null ? {} : { ip: row.ip }),
        ...(row.user_agent === null ? {} : { userAgent: row.user_agent }),
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      }));
    },
  );

  app.delete(
    `${prefix}/sessions/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'endSession',
        summary: 'End one of your sessions',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params.id, 'session');
      const { actor, sessionId: session } = principalOf(request);
      const ended = await writing(request, (scope) => endOtherSignIn(accounts, scope, { session, account: actor.id }, id));
      if (!ended) throw notFound('session');
      return reply.code(204).send(null);
    },
  );
}
