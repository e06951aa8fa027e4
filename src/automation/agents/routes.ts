import { Type } from 'typebox';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, placedPage } from '../../platform/http/page.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { type AskTools, listTools } from './catalogue.ts';
import { agentManagers, agentReaders } from './request-context.ts';
import {
  agent,
  agentParams,
  agentQuery,
  catalogue,
  agentVersion,
  createBody,
  revertBody,
  stopBody,
  teamStop,
  updateBody,
} from './schemas.ts';
import { createAgent, deleteAgent, getAgent, listAgents, listVersions, revertAgent, updateAgent } from './service.ts';
import { getTeamStop, startAgent, startTeam, stopAgent, stopTeam } from './stop.ts';

const prefix = '/ws/api/agents';
const tags = ['Agents'];
const params = agentParams;
const bodyLimit = 64 * 1024;

/** The routes of agents: settings, versions and stops. */
export function agentRoutes(app: App, tools: AskTools): void {
  lists(app);
  catalogues(app, tools);
  changes(app);
  versions(app);
  stops(app);
}

function lists(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: agentReaders,
      schema: {
        operationId: 'listAgents',
        summary: 'List agents',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(agent) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async (query) => {
        const page = changePage(query, 500);
        return { found: await listAgents(reading(request), page), limit: page.limit };
      }),
  );

  app.get(
    `${prefix}/:agentId`,
    { config: agentReaders, schema: { operationId: 'getAgent', summary: 'Read an agent', tags, params, response: { 200: agent } } },
    (request, reply) => withEtag(reply, getAgent(reading(request), request.params.agentId)),
  );
}

function catalogues(app: App, tools: AskTools): void {
  app.get(
    `${prefix}/tools`,
    {
      config: agentReaders,
      schema: {
        operationId: 'listAgentTools',
        summary: 'List the tools of agents',
        tags,
        querystring: agentQuery,
        response: { 200: catalogue },
      },
    },
    (request) => listTools(reading(request), tools, request.query.agentId),
  );
}

function changes(app: App): void {
  app.post(
    `${prefix}/`,
    {
      config: agentManagers,
      bodyLimit,
      schema: { operationId: 'createAgent', summary: 'Create an agent', tags, body: createBody, response: { 201: agent } },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createAgent(scope, principalOf(request).scopes, request.body)),
  );

  app.patch(
    `${prefix}/:agentId`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      bodyLimit,
      schema: { operationId: 'updateAgent', summary: 'Change an agent', tags, params, body: updateBody, response: { 200: agent } },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        updateAgent(scope, principalOf(request).scopes, request.params.agentId, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${prefix}/:agentId`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      schema: { operationId: 'deleteAgent', summary: 'Delete an agent', tags, params, response: { 204: Type.Null() } },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteAgent(scope, request.params.agentId, ifMatch(request))),
  );
}

function versions(app: App): void {
  app.get(
    `${prefix}/:agentId/versions`,
    {
      config: agentReaders,
      schema: {
        operationId: 'listAgentVersions',
        summary: 'List the versions of an agent',
        tags,
        params,
        response: { 200: Type.Array(agentVersion) },
      },
    },
    (request) => listVersions(reading(request), request.params.agentId),
  );

  app.post(
    `${prefix}/:agentId/revert`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      schema: {
        operationId: 'revertAgent',
        summary: 'Restore an earlier version of an agent',
        tags,
        params,
        body: revertBody,
        response: { 200: agent },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        revertAgent(scope, principalOf(request).scopes, request.params.agentId, request.body.version, ifMatch(request)),
      ),
  );
}

function stops(app: App): void {
  app.post(
    `${prefix}/:agentId/stop`,
    {
      config: agentManagers,
      schema: { operationId: 'stopAgent', summary: 'Stop an agent', tags, params, body: stopBody, response: { 200: agent } },
    },
    (request, reply) => changing(request, reply, (scope) => stopAgent(scope, request.params.agentId, request.body)),
  );

  app.post(
    `${prefix}/:agentId/start`,
    {
      config: agentManagers,
      schema: { operationId: 'startAgent', summary: 'Start a stopped agent', tags, params, response: { 200: agent } },
    },
    (request, reply) => changing(request, reply, (scope) => startAgent(scope, request.params.agentId)),
  );

  app.get(
    `${prefix}/stop`,
    {
      config: agentReaders,
      schema: {
        operationId: 'getAgentsStop',
        summary: 'Read the stop of all agents',
        tags,
        response: { 200: teamStop },
      },
    },
    (request, reply) => withEtag(reply, getTeamStop(reading(request))),
  );

  app.post(
    `${prefix}/stop`,
    {
      config: agentManagers,
      schema: { operationId: 'stopAgents', summary: 'Stop all agents of the team', tags, body: stopBody, response: { 200: teamStop } },
    },
    (request, reply) => changing(request, reply, (scope) => stopTeam(scope, request.body)),
  );

  app.post(
    `${prefix}/start`,
    {
      config: agentManagers,
      schema: { operationId: 'startAgents', summary: 'Start the agents of the team', tags, response: { 200: teamStop } },
    },
    (request, reply) => changing(request, reply, (scope) => startTeam(scope)),
  );
}
