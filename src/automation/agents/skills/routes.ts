import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { changing, created } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { AskTools } from '../catalogue.ts';
import { agentManagers, agentOverseers } from '../request-context.ts';
import { readBundle, readMain } from './bundle.ts';
import {
  deleted,
  fileBody,
  fileQuery,
  installBody,
  listQuery,
  nameQuery,
  replaceBody,
  restoreBody,
  skill,
  skillEntry,
  skillFile,
  skillParams,
  skillVersions,
} from './schemas.ts';
import {
  deleteSkill,
  getSkill,
  installSkill,
  listSkills,
  listSkillVersions,
  readSkillFile,
  replaceSkill,
  restoreSkill,
  writeSkillFile,
} from './service.ts';

const prefix = '/ws/api/agents/skills';
const one = `${prefix}/:skillName`;
const tags = ['Agents'];
const params = skillParams;
const guarded = { ...agentManagers, requiresIfMatch: true };
// A zip archive of 8 MiB in Base64, plus the other members. The JSON escape of one character of a text can take six bytes.
const [bundleLimit, fileLimit] = [12 * 1024 * 1024, 7 * 1024 * 1024];

/** The routes of skills. Input is parsed, unpacked and scanned before the transaction begins. */
export function skillRoutes(app: App, tools: AskTools): void {
  lists(app, tools);
  bundles(app, tools);
  files(app);
  versions(app, tools);
}

function lists(app: App, tools: AskTools): void {
  app.get(
    prefix,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentSkills',
        summary: 'List skills',
        tags,
        querystring: listQuery,
        response: { 200: Type.Array(skillEntry) },
      },
    },
    async (request) => listSkills(reading(request), await tools(), request.query.agentId),
  );

  app.get(
    one,
    {
      config: agentOverseers,
      schema: {
        operationId: 'getAgentSkill',
        summary: 'Read a skill',
        tags,
        params,
        response: { 200: skill },
      },
    },
    async (request, reply) => withEtag(reply, getSkill(reading(request), await tools(), request.params.skillName)),
  );
}

const teamOf = (request: FastifyRequest): string => principalOf(request).team ?? '';

function bundles(app: App, tools: AskTools): void {
  app.post(
    prefix,
    {
      config: agentManagers,
      bodyLimit: bundleLimit,
      schema: { operationId: 'installAgentSkill', summary: 'Install a skill', tags, body: installBody, response: { 201: skill } },
    },
    async (request, reply) => {
      const bundle = await readBundle(request.body, teamOf(request));
      const all = await tools();
      const made = await changing(request, reply, (scope) => installSkill(scope, all, bundle, request.body.agentIds ?? []));
      return created(reply, `${prefix}/${made.name}`, made);
    },
  );

  app.put(
    one,
    {
      config: guarded,
      bodyLimit: bundleLimit,
      schema: {
        operationId: 'replaceAgentSkill',
        summary: 'Replace a skill',
        tags,
        params,
        body: replaceBody,
        response: { 200: skill },
      },
    },
    async (request, reply) => {
      const bundle = await readBundle(request.body, teamOf(request));
      const all = await tools();
      const { skillName: name } = request.params;
      return changing(request, reply, (scope) => replaceSkill(scope, all, { name, bundle }, ifMatch(request)));
    },
  );

  app.delete(
    one,
    {
      config: guarded,
      schema: { operationId: 'deleteAgentSkill', summary: 'Delete a skill', tags, params, response: { 200: deleted } },
    },
    (request) => writing(request, (scope) => deleteSkill(scope, request.params.skillName, ifMatch(request))),
  );
}

function files(app: App): void {
  app.get(
    `${prefix}/file`,
    {
      config: agentOverseers,
      schema: {
        operationId: 'readAgentSkillFile',
        summary: 'Read a file of a skill',
        tags,
        querystring: fileQuery,
        response: { 200: skillFile },
      },
    },
    (request, reply) => withEtag(reply, readSkillFile(reading(request), request.query)),
  );

  app.put(
    `${prefix}/file`,
    {
      config: guarded,
      bodyLimit: fileLimit,
      schema: {
        operationId: 'writeAgentSkillFile',
        summary: 'Write the SKILL.md of a skill',
        tags,
        querystring: nameQuery,
        body: fileBody,
        response: { 200: skillFile },
      },
    },
    async (request, reply) => {
      const { name } = request.query;
      const written = await readMain(request.body.content, name, teamOf(request));
      return changing(request, reply, (scope) => writeSkillFile(scope, { name, written }, ifMatch(request)));
    },
  );
}

function versions(app: App, tools: AskTools): void {
  app.get(
    `${one}/versions`,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentSkillVersions',
        summary: 'List the versions of a skill',
        tags,
        params,
        response: { 200: skillVersions },
      },
    },
    (request) => listSkillVersions(reading(request), request.params.skillName),
  );

  app.post(
    `${one}/restore`,
    {
      config: guarded,
      schema: {
        operationId: 'restoreAgentSkill',
        summary: 'Restore an earlier version of a skill',
        tags,
        params,
        body: restoreBody,
        response: { 200: skill },
      },
    },
    async (request, reply) => {
      const all = await tools();
      const which = { name: request.params.skillName, version: request.body.version };
      return changing(request, reply, (scope) => restoreSkill(scope, all, which, ifMatch(request)));
    },
  );
}
