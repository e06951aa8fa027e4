import { Type } from 'typebox';
import { managers } from '#accounts';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { answerPage, idPage, pageQuery } from '../../platform/http/page.ts';
import { principalOf, reading, writing, writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { pathId } from '../../platform/identifiers.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
import { Problem } from '../../platform/problems.ts';
import { forgetBegun, setBegunCookie, readBegun } from './browser-state.ts';
import {
  changeable,
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  unlinkMember,
  updateConnection,
} from './connections.ts';
import type { Sso } from './context.ts';
import { askingPage, sentByOthers } from './cross-site.ts';
import { findProofs, markVerified } from './domains.ts';
import {
  callbackParams,
  callbackQuery,
  connection,
  createBody,
  identityParams,
  linkBegun,
  linkBody,
  startQuery,
  updateBody,
} from './schemas.ts';
import { answers, begin, beginLink, complete, invalidState, landing, takeState, personToLink } from './sign-in.ts';
import { idParams } from '../../platform/schema-parts.ts';

const managePrefix = '/api/v1/team/sso';
const prefix = '/api/v1/security/auth/sso';
const read = { access: { kind: 'user', scope: 'team:read', roles: managers } } as const;
// Only users manage connections, because a provider decides who can sign in.
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;
const open = { access: { kind: 'public' }, opensInBrowser: true } as const;
const tags = ['Single sign-on'];
const bodyLimit = 16 * 1024;
const redirect = { 302: Type.Null({ description: 'Redirects the browser' }) };

export function ssoRoutes(app: App, sso: Sso): void {
  managing(app, sso);
  unlinking(app, sso);
  linking(app, sso);
  signingIn(app, sso);
}

function managing(app: App, sso: Sso): void {
  app.get(
    managePrefix,
    {
      config: read,
      schema: {
        operationId: 'listSsoConnections',
        summary: 'List connections to providers',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(connection) },
      },
    },
    async (request, reply) => {
      const page = idPage(request.query, 500);
      const found = await listConnections(sso, reading(request), page);
      return answerPage(reply, request, { found, limit: page.limit }, ({ id }) => [id]);
    },
  );

  app.post(
    managePrefix,
    {
      config: write,
      bodyLimit,
      schema: { operationId: 'createSsoConnection', summary: 'Connect a provider', tags, body: createBody, response: { 201: connection } },
    },
    (request, reply) =>
      creating(request, reply, `${managePrefix}/:id`, (scope) =>
        createConnection(sso, scope, principalOf(request).sessionId, request.body),
      ),
  );

  app.get(
    `${managePrefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getSsoConnection', summary: 'Read a connection', tags, params: idParams, response: { 200: connection } },
    },
    (request, reply) => withEtag(reply, getConnection(sso, reading(request), request.params.id)),
  );

  app.patch(
    `${managePrefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'updateSsoConnection',
        summary: 'Change a connection',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: connection },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        updateConnection(sso, scope, principalOf(request).sessionId, request.params.id, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${managePrefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteSsoConnection',
        summary: 'Delete a connection',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteConnection(sso, scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${managePrefix}/:id/verify-domains`,
    {
      config: { ...write, lenientBody: true, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'verifySsoDomains',
        summary: 'Verify the domains of a connection',
        tags,
        params: idParams,
        response: { 200: connection },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params.id, 'connection');
      const { team = '' } = principalOf(request);
      const found = await findProofs(sso, app.database, team, id);
      return changing(request, reply, async (scope) => {
        await changeable(scope, id, ifMatch(request));
        await markVerified(scope, id, found);
        return getConnection(sso, scope, id);
      });
    },
  );
}

function unlinking(app: App, sso: Sso): void {
  app.delete(
    `${managePrefix}/:id/identities/:userId`,
    {
      config: write,
      schema: {
        operationId: 'unlinkSsoMember',
        summary: 'Unlink a member from a provider',
        tags,
        params: identityParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => unlinkMember(sso, scope, principalOf(request).sessionId, request.params)),
  );
}

function linking(app: App, sso: Sso): void {
  app.post(
    `${prefix}/link`,
    {
      config: { access: { kind: 'user' } },
      bodyLimit,
      schema: {
        operationId: 'linkSsoLogin',
        summary: 'Link your account with the team’s provider',
        tags,
        body: linkBody,
        response: { 200: linkBegun },
      },
    },
    async (request, reply) => {
      const { sessionId: session, team = '' } = principalOf(request);
      const who = await writing(request, (scope) => personToLink(scope, session));
      const { location, begun } = await beginLink(sso, app.database, request.body, { ...who, team, session }, app.clock());
      setBegunCookie(sso, reply, begun);
      return { location };
    },
  );
}

function signingIn(app: App, sso: Sso): void {
  const { settings } = sso.accounts;
  const own = new URL(settings.baseUrl).origin;
  app.get(
    `${prefix}/start`,
    {
      config: open,
      schema: {
        operationId: 'startSsoLogin',
        summary: 'Start a sign-in through a provider',
        tags,
        querystring: startQuery,
        response: redirect,
      },
    },
    async (request, reply) => {
      const { search } = new URL(request.url, own);
      if (sentByOthers(request, [own, ...settings.corsOrigins])) return reply.redirect(`${prefix}/continue${search}`, 302);
      const { location, begun } = await begin(sso, app.database, request.query, app.clock());
      setBegunCookie(sso, reply, begun);
      return reply.redirect(location, 302);
    },
  );

  app.get(`${prefix}/continue`, { config: open, schema: { hide: true, querystring: startQuery } }, async (request, reply) => {
    const { search } = new URL(request.url, own);
    const language = preferredLanguage(request.headers['accept-language']);
    // With this policy the link sends `Referer`, which shows that it was followed.
    reply.header('referrer-policy', 'same-origin');
    return sendPage(reply, askingPage(language, { start: `${prefix}/start${search}`, site: new URL(own).host }));
  });

  app.get(
    `${prefix}/callback/:connectionId`,
    {
      config: open,
      schema: {
        operationId: 'finishSsoLogin',
        summary: 'Complete a sign-in through a provider',
        tags,
        params: callbackParams,
        querystring: callbackQuery,
        response: redirect,
      },
    },
    async (request, reply) => {
      const begun = readBegun(sso, request, app.clock());
      const { state, error } = request.query;
      if (!answers(begun, request.params.connectionId, state)) throw invalidState();
      forgetBegun(sso, reply);
      await takeState(app.database, begun);
      const device = {
        ip: clientIp(request),
        userAgent: request.headers['user-agent'],
        language: preferredLanguage(request.headers['accept-language']),
      };
      const inPublic = <T>(work: Parameters<typeof writingPublic<T>>[1]) => writingPublic(request, work);
      const search = new URL(request.url, 'http://localhost').search;
      try {
        const outcome = await complete(sso, app.database, inPublic, begun, { search, error }, device);
        if (outcome !== 'linked' && 'refreshToken' in outcome) sso.accounts.cookie.set(reply, outcome.refreshToken);
        return await reply.redirect(landing(begun, outcome), 302);
      } catch (failure) {
        // The browser comes from a page, so the page receives the error in the redirect instead of a JSON response.
        if (!(failure instanceof Problem)) throw failure;
        return reply.redirect(landing(begun, failure), 302);
      }
    },
  );
}
