import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { knownScopes } from '#accounts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { type Form, malformed, parseForm, shownCredentials } from './credentials.ts';
import type { Clients } from './context.ts';
import { clientProblems } from './problems.ts';
import * as schemas from './schemas.ts';
import { introspectToken, issueToken, revokeToken } from './tokens.ts';

const tags = ['API clients'];
const config = { access: { kind: 'public' }, errorShape: 'rfc6749' } as const;
const bodyLimit = 16 * 1024;
const authMethods = ['client_secret_basic', 'client_secret_post'];
const form = { consumes: ['application/x-www-form-urlencoded'], security: [{ clientSecret: [] }], tags };

/** The credentials of a request, and the database access of its use case. */
function callerOf(request: FastifyRequest) {
  return {
    shown: shownCredentials({
      authorization: request.headers.authorization,
      query: request.query as object,
      form: request.body as Form,
    }),
    caller: {
      database: request.server.database,
      inPublic: <T>(work: Parameters<typeof writingPublic<T>>[1]) => writingPublic(request, work),
      ip: clientIp(request),
    },
  };
}

function notStored(reply: FastifyReply): void {
  // Required by RFC 6749 §5.1.
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
}

/** The token routes of API clients. Their bodies are forms, so they have separate parsers. */
export function oauthRoutes(app: App, clients: Clients): void {
  metadataRoutes(app, clients);
  app.register(async (scoped) => {
    const oauth = scoped as unknown as App;
    oauth.removeAllContentTypeParsers();
    oauth.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (_request, bytes, done) => {
      try {
        done(null, parseForm(bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
    oauth.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => {
      done(malformed('Send the parameters as application/x-www-form-urlencoded.'));
    });

    oauth.post(
      '/oauth/token',
      {
        config,
        bodyLimit,
        schema: {
          ...form,
          operationId: 'getClientToken',
          summary: 'Get an access token',
          body: schemas.tokenForm,
          response: { 200: schemas.issuedToken },
        },
      },
      async (request, reply) => {
        notStored(reply);
        const { grant_type: grantType, scope, resource } = request.body as Form;
        const grant = clients.grants.get(grantType ?? '');
        if (grant) return grant(request, request.body);
        if (grantType !== 'client_credentials')
          throw clientProblems.unsupported_grant_type(
            'Send grant_type=client_credentials, the grant of API clients, or authorization_code or refresh_token for a connected app.',
          );
        const { shown, caller } = callerOf(request);
        return issueToken(clients, caller, shown, { scope, resource });
      },
    );

    oauth.post(
      '/oauth/revoke',
      {
        config,
        bodyLimit,
        schema: {
          ...form,
          operationId: 'revokeClientToken',
          summary: 'Revoke a token',
          body: schemas.tokenReferenceForm,
          response: { 200: Type.Object({}, { additionalProperties: false }) },
        },
      },
      async (request, reply) => {
        notStored(reply);
        for (const takeBack of clients.takeBacks) if (await takeBack(request, request.body)) return {};
        const { shown, caller } = callerOf(request);
        await revokeToken(clients, caller, shown, (request.body as Form).token ?? '');
        return {};
      },
    );

    oauth.post(
      '/oauth/introspect',
      {
        config,
        bodyLimit,
        schema: {
          ...form,
          operationId: 'introspectClientToken',
          summary: 'Introspect a token',
          body: schemas.tokenReferenceForm,
          response: { 200: schemas.introspection },
        },
      },
      async (request, reply) => {
        notStored(reply);
        const { shown, caller } = callerOf(request);
        return introspectToken(clients, caller, shown, (request.body as Form).token ?? '');
      },
    );
  });
}

function metadataRoutes(app: App, { issuer }: Clients): void {
  const open = { access: { kind: 'public' } } as const;
  const headers = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  // Scopes of a user’s profile are not available to clients.
  const scopes = knownScopes.filter((scope) => !scope.startsWith('profile:'));

  app.get(
    '/.well-known/oauth-authorization-server',
    {
      config: open,
      schema: {
        operationId: 'getAuthorizationServerMetadata',
        summary: 'Get the authorization server metadata (RFC 8414)',
        tags,
        response: { 200: schemas.serverMetadata },
      },
    },
    (_request, reply) => {
      reply.headers(headers);
      return {
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        revocation_endpoint: `${issuer}/oauth/revoke`,
        introspection_endpoint: `${issuer}/oauth/introspect`,
        service_documentation: `${issuer}/docs`,
        scopes_supported: scopes,
        registration_endpoint: `${issuer}/oauth/register`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: [...authMethods, 'none'],
        revocation_endpoint_auth_methods_supported: [...authMethods, 'none'],
        introspection_endpoint_auth_methods_supported: authMethods,
      };
    },
  );

  app.get(
    '/.well-known/oauth-protected-resource',
    {
      config: open,
      schema: {
        operationId: 'getProtectedResourceMetadata',
        summary: 'Get the protected resource metadata (RFC 9728)',
        tags,
        response: { 200: schemas.resourceMetadata },
      },
    },
    (_request, reply) => {
      reply.headers(headers);
      return {
        resource: issuer,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Chancery',
        resource_documentation: `${issuer}/docs`,
      };
    },
  );
}
