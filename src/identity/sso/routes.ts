import { Type } from 'typebox';
import { managers } from '#accounts';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { answerPage, idPage, pageQuery } from '../../platform/http/page.ts';
import { principalOf, reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';
import { pathId } from '../../platform/identifiers.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
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
  logoutForm,
  startQuery,
  updateBody,
} from './schemas.ts';
import { formBodies } from './form-bodies.ts';
import { answers, complete, endAtProvider, takeState } from './oidc/index.ts';
import { readProvider, samlRoutes } from './saml/index.ts';
import { inPublic, returnTo } from './return-browser.ts';
import { invalidState } from './sign-in.ts';
import { begin, beginLink, personToLink } from './start.ts';
import { idParams } from '../../platform/schema-parts.ts';

const managePrefix = '/api/v1/team/sso';
const prefix = '/api/v1/security/auth/sso';
const read = { access: { kind: 'user', scope: 'team:read', roles: managers } } as const;
// Only users manage connections, because a provider decides who can sign in.
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;
const open = { access: { kind: 'public' }, opensInBrowser: true } as const;
const tags = ['Single sign-on'];
const bodyLimit = 16 * 1024;
/** Metadata of a SAML provider have at most 128 KiB; each letter can take two bytes in JSON. */
const connectionLimit = 300 * 1024;
const redirect = { 302: Type.Null({ description: 'Redirects the browser' }) };

export function ssoRoutes(app: App, sso: Sso): void {
  managing(app, sso);
  unlinking(app, sso);
  linking(app, sso);
  signingIn(app, sso);
  loggingOut(app, sso);
  samlRoutes(app, sso);
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
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query, 500);
        const found = await listConnections(sso, reading(request), page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    managePrefix,
    {
      config: write,
      bodyLimit: connectionLimit,
      schema: { operationId: 'createSsoConnection', summary: 'Connect a provider', tags, body: createBody, response: { 201: connection } },
    },
    async (request, reply) => {
      const { team = '', sessionId } = principalOf(request);
      const { body } = request;
      const provider = body.kind === 'saml' ? await readProvider(sso, team, body, app.database.clock.now()) : {};
      return creating(request, reply, `${managePrefix}/:id`, (scope) => createConnection(sso, scope, sessionId, body, provider));
    },
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
      bodyLimit: connectionLimit,
      schema: {
        operationId: 'updateSsoConnection',
        summary: 'Change a connection',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: connection },
      },
    },
    async (request, reply) => {
      const { team = '', sessionId } = principalOf(request);
      const { body: input } = request;
      const provider = await readProvider(sso, team, input, app.database.clock.now());
      return changing(request, reply, (scope) =>
        updateConnection(sso, scope, sessionId, request.params.id, { input, provider }, ifMatch(request)),
      );
    },
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
      const search = new URL(request.url, 'http://localhost').search;
      return returnTo(sso, request, reply, begun, (device) =>
        complete(sso, app.database, inPublic(request), begun, { search, error }, device),
      );
    },
  );
}

function loggingOut(app: App, sso: Sso): void {
  app.register(async (scoped) => {
    const forms = formBodies(scoped);
    forms.post(
      `${prefix}/:connectionId/backchannel-logout`,
      {
        // The format of errors in OpenID Connect Back-Channel Logout 1.0 section 2.8.
        config: { access: { kind: 'public' }, errorShape: 'rfc6749' },
        bodyLimit: 32 * 1024,
        schema: {
          operationId: 'endSsoSessions',
          summary: 'End sessions after a logout at the provider',
          tags,
          consumes: ['application/x-www-form-urlencoded'],
          params: callbackParams,
          body: logoutForm,
          response: { 200: Type.Null({ description: 'The sessions have ended' }) },
        },
      },
      async (request, reply) => {
        // Required by OpenID Connect Back-Channel Logout 1.0 section 2.8.
        reply.header('cache-control', 'no-store');
        const { connectionId } = request.params;
        const { logout_token: token } = request.body;
        await endAtProvider(sso, app.database, inPublic(request), { connectionId, token, ip: clientIp(request) });
        return null;
      },
    );
  });
}
