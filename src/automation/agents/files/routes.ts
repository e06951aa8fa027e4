import { Type } from 'typebox';
import { changing, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { agentManagers, agentOverseers } from '../request-context.ts';
import { agentParams } from '../schemas.ts';
import { fileAnswer, fileList, fileParams, fileVersions, readQuery, restoreBody, versionsQuery, writeBody } from './schemas.ts';
import { deleteFile, listFiles, listFileVersions, readFile, readFileVersion, restoreFile, writeFile } from './service.ts';

const prefix = '/ws/api/agents/:agentId';
const tags = ['Agents'];
// The JSON escape of one character can take six bytes.
const bodyLimit = 2 * 1024 * 1024;

/** The routes of the files of an agent. */
export function agentFileRoutes(app: App): void {
  files(app);
  versions(app);
}

function files(app: App): void {
  app.get(
    `${prefix}/files`,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentFiles',
        summary: 'List the files of an agent',
        tags,
        params: agentParams,
        response: { 200: fileList },
      },
    },
    (request) => listFiles(reading(request), request.params.agentId),
  );

  app.get(
    `${prefix}/files/:fileName`,
    {
      config: agentOverseers,
      schema: {
        operationId: 'readAgentFile',
        summary: 'Read a file of an agent',
        tags,
        params: fileParams,
        querystring: readQuery,
        response: { 200: fileAnswer },
      },
    },
    (request, reply) => {
      const { agentId, fileName } = request.params;
      const { version } = request.query;
      const scope = reading(request);
      return withEtag(
        reply,
        version === undefined ? readFile(scope, agentId, fileName) : readFileVersion(scope, agentId, { fileName, version }),
      );
    },
  );

  app.put(
    `${prefix}/files/:fileName`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'writeAgentFile',
        summary: 'Write a file of an agent',
        tags,
        params: fileParams,
        body: writeBody,
        response: { 200: fileAnswer },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => {
        const { agentId, fileName } = request.params;
        return writeFile(scope, agentId, { fileName, content: request.body.content }, ifMatch(request));
      }),
  );

  app.delete(
    `${prefix}/files/:fileName`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      schema: {
        operationId: 'deleteAgentFile',
        summary: 'Delete a file of an agent',
        tags,
        params: fileParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deleteFile(scope, request.params.agentId, request.params.fileName, ifMatch(request))),
  );
}

function versions(app: App): void {
  app.get(
    `${prefix}/file-versions`,
    {
      config: agentOverseers,
      schema: {
        operationId: 'listAgentFileVersions',
        summary: 'List the versions of files',
        tags,
        params: agentParams,
        querystring: versionsQuery,
        response: { 200: fileVersions },
      },
    },
    (request) => listFileVersions(reading(request), request.params.agentId, request.query.name),
  );

  app.post(
    `${prefix}/files/:fileName/restore`,
    {
      config: { ...agentManagers, requiresIfMatch: true },
      schema: {
        operationId: 'restoreAgentFile',
        summary: 'Restore an earlier version of a file',
        tags,
        params: fileParams,
        body: restoreBody,
        response: { 200: fileAnswer },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => {
        const { agentId, fileName } = request.params;
        return restoreFile(scope, agentId, { fileName, version: request.body.version }, ifMatch(request));
      }),
  );
}
