import type { FastifyRequest } from 'fastify';
import { resourceMetadata } from '#clients';
import type { App } from '../../platform/http/server.ts';
import { scopesOf } from '../../platform/tools.ts';
import { callTool, offeredTools, requireScopes } from './calls.ts';
import { firstScopes, type Mcp } from './context.ts';
import { mcpProblems } from './problems.ts';

const bodyLimit = 256 * 1024;

/** A request of the protocol, with the members that are checked before the protocol handles it. */
type Message = { method?: unknown; params?: { name?: unknown; arguments?: unknown } };

export function mcpRoutes(app: App, mcp: Mcp): void {
  metadataRoute(app, mcp);
  const challenge = { resource_metadata: mcp.metadataUrl, scope: firstScopes.join(' ') };
  app.post(
    '/mcp',
    {
      config: { access: { kind: 'mcp', challenge }, countsOwnWrites: true },
      bodyLimit,
      onRequest: async (request) => requireSite(mcp, request),
      // The protocol defines its messages, so the API description leaves them out.
      schema: { hide: true, produces: ['application/json', 'text/event-stream'] },
    },
    async (request, reply) => {
      const { method, params } = (request.body ?? {}) as Message;
      if (method === 'tools/call') await requireScopes(mcp, request, params?.name, params?.arguments);
      let failed: { error: unknown } | undefined;
      const { status, contentType, body } = await mcp.protocol(request, {
        list: () => offeredTools(mcp, request),
        call: (name, given) =>
          callTool(mcp, request, name, given).catch((error: unknown) => {
            failed = { error };
            throw error;
          }),
      });
      // A credential that ended during the call is reported by the HTTP status, as in all routes.
      if (failed) throw failed.error;
      if (contentType !== undefined) void reply.type(contentType);
      return reply.code(status).serializer(String).send(body);
    },
  );
}

/**
 * Rejects requests of pages of other sites, even if these sites point their own host name to this address (DNS rebinding). Throws 403
 * `site_not_allowed`.
 */
function requireSite({ hosts, origins }: Mcp, request: FastifyRequest): void {
  const { origin } = request.headers;
  const site = origin === undefined ? undefined : (URL.parse(origin)?.hostname ?? '');
  if (hosts.has(request.hostname.toLowerCase()) && (site === undefined || hosts.has(site) || origins.has(origin ?? ''))) return;
  throw mcpProblems.site_not_allowed(
    'The host of the request is not that of the service, or the request comes from a page of a site that is not allowed.',
  );
}

function metadataRoute(app: App, mcp: Mcp): void {
  app.get(
    '/.well-known/oauth-protected-resource/mcp',
    {
      config: { access: { kind: 'public' } },
      schema: {
        operationId: 'getMcpResourceMetadata',
        summary: 'Get the MCP server’s resource metadata (RFC 9728)',
        tags: ['API clients'],
        response: { 200: resourceMetadata },
      },
    },
    async (_request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
      const tools = await mcp.tools();
      return {
        resource: mcp.resource,
        authorization_servers: [mcp.baseUrl],
        scopes_supported: [...new Set(tools.flatMap(scopesOf))].toSorted(),
        bearer_methods_supported: ['header'],
        resource_name: 'Chancery MCP server',
        resource_documentation: `${mcp.baseUrl}/docs`,
      };
    },
  );
}
