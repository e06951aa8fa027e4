import { Type } from 'typebox';
import { created, noContent } from '../../platform/http/responses.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { agentManagers, agentOverseers } from './request-context.ts';
import { agentParams, share, shareBody } from './schemas.ts';
import { listShares, shareAgent, type ShareEnds, unshareAgent } from './shares.ts';

const path = '/ws/api/agents/:agentId/shares';
const tags = ['Agents'];

/** The routes of agent shares. */
export function agentShareRoutes(app: App, ends: readonly ShareEnds[]): void {
  app.get(
    path,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentShares',
        summary: 'List the shares of an agent',
        tags,
        params: agentParams,
        response: { 200: Type.Array(share) },
      },
    },
    (request) => listShares(reading(request), request.params.agentId),
  );

  app.post(
    path,
    {
      config: agentManagers,
      schema: {
        operationId: 'shareAgent',
        summary: 'Share an agent',
        tags,
        params: agentParams,
        body: shareBody,
        response: { 201: share },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => shareAgent(scope, request.params.agentId, request.body));
      return created(reply, path.replace(':agentId', made.agentId), made);
    },
  );

  app.delete(
    `${path}/:shareId`,
    {
      config: agentManagers,
      schema: {
        operationId: 'deleteAgentShare',
        summary: 'End a share of an agent',
        tags,
        params: Type.Object({ ...agentParams.properties, shareId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => unshareAgent(scope, ends, request.params.agentId, request.params.shareId)),
  );
}
