import { Type } from 'typebox';
import { noContent } from '../../platform/http/responses.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { allowCaller, endCaller, listCallers } from './callers.ts';
import { agentParams, caller, callerBody } from './schemas.ts';

const path = '/ws/api/agents/:agentId/callers';
const tags = ['Agents'];
const config = { access: { kind: 'user', scope: 'agents:run', person: true } } as const;

/** The routes of the API clients that start an agent on behalf of a member. */
export function agentCallerRoutes(app: App): void {
  app.get(
    path,
    {
      config,
      schema: {
        operationId: 'listAgentCallers',
        summary: 'List the API clients that may start an agent',
        tags,
        params: agentParams,
        response: { 200: Type.Array(caller) },
      },
    },
    (request) => listCallers(reading(request), request.params.agentId),
  );

  app.put(
    path,
    {
      config,
      schema: {
        operationId: 'allowAgentCaller',
        summary: 'Let an API client start an agent on your behalf',
        tags,
        params: agentParams,
        body: callerBody,
        response: { 200: caller },
      },
    },
    (request) => writing(request, (scope) => allowCaller(scope, request.params.agentId, request.body.clientId)),
  );

  app.delete(
    `${path}/:clientId`,
    {
      config,
      schema: {
        operationId: 'endAgentCaller',
        summary: 'End the consent to an API client',
        tags,
        params: Type.Object({ ...agentParams.properties, clientId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => endCaller(scope, request.params.agentId, request.params.clientId)),
  );
}
