import { Type } from 'typebox';
import { changing, creating, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { agentManagers, agentOverseers } from '../request-context.ts';
import { checkServer, storeCheckResult } from './check.ts';
import type { Servers } from './context.ts';
import { createBody, server, serverParams, serverWithTools, toolBody, toolParams, updateBody } from './schemas.ts';
import { createServer, deleteServer, getServer, listServers, setTool, updateServer } from './service.ts';

const prefix = '/ws/api/agents/mcp-servers';
const one = `${prefix}/:serverId`;
const tags = ['Agents'];
const params = serverParams;
const guarded = { ...agentManagers, requiresIfMatch: true };
const bodyLimit = 64 * 1024;

/** The routes of external MCP servers. */
export function serverRoutes(app: App, servers: Servers): void {
  reads(app);
  changes(app, servers);
  checks(app, servers);
}

function reads(app: App): void {
  app.get(
    prefix,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentMcpServers',
        summary: 'List the MCP servers of the team',
        tags,
        response: { 200: Type.Array(server) },
      },
    },
    (request) => listServers(reading(request)),
  );

  app.get(
    one,
    {
      config: agentOverseers,
      schema: {
        operationId: 'getAgentMcpServer',
        summary: 'Read an MCP server with its tools',
        tags,
        params,
        response: { 200: serverWithTools },
      },
    },
    (request, reply) => withEtag(reply, getServer(reading(request), request.params.serverId)),
  );
}

function changes(app: App, servers: Servers): void {
  app.post(
    prefix,
    {
      config: agentManagers,
      bodyLimit,
      schema: {
        operationId: 'createAgentMcpServer',
        summary: 'Add an MCP server',
        tags,
        body: createBody,
        response: { 201: serverWithTools },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createServer(scope, servers, request.body)),
  );

  app.patch(
    one,
    {
      config: guarded,
      bodyLimit,
      schema: {
        operationId: 'updateAgentMcpServer',
        summary: 'Change an MCP server',
        tags,
        params,
        body: updateBody,
        response: { 200: serverWithTools },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => updateServer(scope, servers, request.params.serverId, request.body, ifMatch(request))),
  );

  app.delete(
    one,
    {
      config: guarded,
      schema: { operationId: 'deleteAgentMcpServer', summary: 'Delete an MCP server', tags, params, response: { 204: Type.Null() } },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteServer(scope, request.params.serverId, ifMatch(request))),
  );
}

function checks(app: App, servers: Servers): void {
  app.post(
    `${one}/check`,
    {
      config: guarded,
      schema: {
        operationId: 'checkAgentMcpServer',
        summary: 'Check the tools of an MCP server',
        tags,
        params,
        response: { 200: serverWithTools },
      },
    },
    async (request, reply) => {
      const { serverId } = request.params;
      const checked = await checkServer(reading(request), servers, serverId);
      return changing(request, reply, (scope) => storeCheckResult(scope, serverId, checked, ifMatch(request)));
    },
  );

  app.patch(
    `${one}/tools/:toolName`,
    {
      config: guarded,
      bodyLimit,
      schema: {
        operationId: 'setAgentMcpTool',
        summary: 'Enable or disable a tool of an MCP server',
        tags,
        params: toolParams,
        body: toolBody,
        response: { 200: serverWithTools },
      },
    },
    (request, reply) => changing(request, reply, (scope) => setTool(scope, request.params, request.body, ifMatch(request))),
  );
}
