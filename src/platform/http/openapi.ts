import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type Access, isPersonal, requiredScopes } from './access.ts';
import { isKnownTo } from './etag.ts';
import type { App } from './server.ts';

const problemSchema = {
  type: 'object',
  title: 'Problem',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'trace_id'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What to do' },
    instance: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
    trace_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, pointer: { type: 'string' }, reason: { type: 'string' }, rule: { type: 'string' } },
      },
    },
  },
  additionalProperties: true,
};

const oauthErrorSchema = {
  type: 'object',
  title: 'RefreshError',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    error_description: { type: 'string' },
    code: { type: 'string' },
    status: { type: 'integer' },
    request_id: { type: 'string' },
  },
  additionalProperties: true,
};

const described = {
  description: 'A problem document (RFC 9457)',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
const oauthDescribed = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/RefreshError' } } },
};

const tokenErrorSchema = {
  type: 'object',
  title: 'TokenError',
  required: ['error', 'error_description'],
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  additionalProperties: false,
};
const tokenErrorDescribed = {
  description: 'Refused (RFC 6749 §5.2)',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenError' } } },
};
const errorAnswers = { problem: described, oauth: oauthDescribed, rfc6749: tokenErrorDescribed };

function operationId(method: string, url: string): string {
  const words = url
    .split('/')
    .filter(Boolean)
    .map((word) =>
      word
        .replaceAll(/[^a-zA-Z0-9]+/g, ' ')
        .trim()
        .replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    );
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** The credentials an operation takes, any one of which is enough; an empty one means that none is needed. */
function securityOf(access: Access | undefined): Record<string, string[]>[] {
  switch (access?.kind) {
    case 'user':
      return [{ accessToken: requiredScopes(access) }];
    case 'staff':
      return [{ staffToken: [] }];
    case 'public':
      return access.credential ? [{}, { accessToken: [] }] : [];
    default:
      return [];
  }
}

/** What the document says of a route beyond its schemas: who may call it, and that it may refuse. */
function describe({ schema, url, route }: { schema: FastifySchema; url: string; route: RouteOptions }): {
  schema: FastifySchema;
  url: string;
} {
  const access = route.config?.access;
  const [method = 'GET'] = [route.method].flat();
  const scope = access?.kind === 'user' ? access.scope : undefined;
  const security = schema?.security ?? securityOf(access);
  const extended = {
    ...schema,
    operationId: schema?.operationId ?? operationId(method, url),
    security,
    'x-access': access?.kind ?? 'public',
    ...(scope ? { 'x-required-scope': scope } : {}),
    ...(access?.kind === 'user' && access.roles ? { 'x-roles': access.roles } : {}),
    ...(access && isPersonal(access) ? { 'x-person-only': true } : {}),
    response: { ...(schema?.response as object), default: errorAnswers[route.config?.errorShape ?? 'problem'] },
  };
  return { schema: extended, url };
}

/** Registers the description. Call before any route is registered; routes appear in it by themselves. */
export function describeApi(app: App, info: { title: string; version: string; description: string }): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      // Relative to where the document was read: whatever host and proxy that was.
      servers: [{ url: '/' }],
      components: {
        schemas: { Problem: problemSchema, RefreshError: oauthErrorSchema, TokenError: tokenErrorSchema } as never,
        securitySchemes: {
          accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a person or API client' },
          clientSecret: { type: 'http', scheme: 'basic', description: 'Identifier and secret of an API client (RFC 6749 §2.3.1)' },
          staffToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of platform staff' },
        },
      },
    },
    // Responses are described once they are sent, so the default one stays out of the serialisers.
    transform: describe,
  });
}

/** `/openapi.json`, and the reference page at `/docs` that is rendered from it. */
export function serveDescription(app: App): void {
  let text: string | undefined;
  let tag = '';
  app.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    if (text === undefined) {
      text = JSON.stringify(app.swagger());
      tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    }
    reply.headers({
      etag: tag,
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    });
    return isKnownTo(request, tag) ? reply.code(304).send() : reply.send(text);
  });
  app.register(async (pages) => {
    pages.decorate('publicPages', true);
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, url: '/openapi.json' },
      staticCSP:
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'",
      theme: { title: 'Chancery API' },
    });
  });
}
