import { preparedWriting, principalOf, reading } from '../../../../platform/http/scope.ts';
import { withEtag } from '../../../../platform/http/etag.ts';
import type { App } from '../../../../platform/http/server.ts';
import { agentManagers } from '../../request-context.ts';
import type { Servers } from '../context.ts';
import { serverParams as params, serverWithTools } from '../schemas.ts';
import { documentOf, documentPath } from './client-metadata.ts';
import { beginBody, begun, finishBody } from './schemas.ts';
import { beginSignIn, exchangeAnswer, finishSignIn, prepareSignIn } from './service.ts';

const prefix = '/ws/api/agents/mcp-servers/:serverId/sign-in';
const tags = ['Agents'];
const bodyLimit = 64 * 1024;

/** The routes of sign-ins at external MCP servers (OAuth 2.1). */
export function signInRoutes(app: App, servers: Servers): void {
  app.post(
    prefix,
    {
      // The returned address contains values that only this session can use.
      config: { ...agentManagers, showsSecret: true },
      bodyLimit,
      schema: {
        operationId: 'beginAgentMcpSignIn',
        summary: 'Start a sign-in at an MCP server',
        tags,
        params,
        body: beginBody,
        response: { 200: begun },
      },
    },
    (request) => {
      const { serverId } = request.params;
      const session = principalOf(request).sessionId;
      return preparedWriting(
        request,
        () => prepareSignIn(reading(request), servers, serverId, request.body),
        (scope, prepared) => beginSignIn(scope, servers, { serverId, session }, prepared),
      );
    },
  );

  app.post(
    `${prefix}/finish`,
    {
      config: agentManagers,
      bodyLimit,
      schema: {
        operationId: 'finishAgentMcpSignIn',
        summary: 'Finish a sign-in at an MCP server',
        tags,
        params,
        body: finishBody,
        response: { 200: serverWithTools },
      },
    },
    (request, reply) => {
      const { serverId } = request.params;
      const session = principalOf(request).sessionId;
      return withEtag(
        reply,
        preparedWriting(
          request,
          () => exchangeAnswer(reading(request), servers, { serverId, session }, request.body),
          (scope, exchanged) => finishSignIn(scope, servers, serverId, exchanged),
        ),
      );
    },
  );

  app.get(documentPath, { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () => documentOf(servers));
}
