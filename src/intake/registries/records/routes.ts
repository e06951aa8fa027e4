import { Type } from 'typebox';
import { changing, creating, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { answerPage, decodeCursor, malformedCursor, pageQuery, pageSize, sendPage } from '../../../platform/http/page.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { maxVersions, recordHistory } from './history.ts';
import { listRecords } from './lists.ts';
import { recordReading } from './readings.ts';
import * as schemas from './schemas.ts';
import {
  approveRecord,
  createRecord,
  declineRecord,
  deleteRecord,
  findRecord,
  patchRecord,
  replaceRecord,
  restoreRecord,
  revertRecord,
  shown,
} from './service.ts';

const prefix = '/api/v1/registries/:typeId/records';
const tags = ['Registries'];
const read = { access: { kind: 'user', scope: 'registries:read' } } as const;
const write = { access: { kind: 'user', scope: 'registries:write' } } as const;
const { recordParams: params } = schemas;
const one = { 200: schemas.registryRecord };

export function recordRoutes(app: App): void {
  listAndCreate(app);
  oneRecord(app);
  bin(app);
  approval(app);
  history(app);
}

function listAndCreate(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listRegistryRecords',
        summary: 'List the records of a registry',
        tags,
        params: schemas.registryParams,
        querystring: schemas.listQuery,
        response: { 200: Type.Array(schemas.registryRecord) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, async (scope, query) => {
        const found = await listRecords(scope, request.params.typeId, query);
        await recordReading(request, found);
        return found.page;
      }),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createRegistryRecord',
        summary: 'Create a record',
        tags,
        params: schemas.registryParams,
        body: schemas.createBody,
        response: { 201: schemas.registryRecord },
      },
    },
    (request, reply) =>
      creating(request, reply, `${prefix.replace(':typeId', request.params.typeId)}/:id`, (scope) =>
        createRecord(scope, request.params.typeId, request.body.data),
      ),
  );
}

function oneRecord(app: App): void {
  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getRegistryRecord', summary: 'Read a record', tags, params, response: one },
    },
    async (request, reply) => {
      const found = await findRecord(reading(request), request.params.typeId, request.params.id);
      await recordReading(request, found);
      return withEtag(reply, Promise.resolve(shown(found)));
    },
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'replaceRegistryRecord',
        summary: 'Replace all values of a record',
        tags,
        params,
        body: schemas.replaceBody,
        response: one,
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => replaceRecord(scope, { ...request.params, expect: ifMatch(request) }, request.body.data)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateRegistryRecord',
        summary: 'Change some values of a record',
        tags,
        params,
        body: schemas.patchBody,
        response: one,
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => patchRecord(scope, { ...request.params, expect: ifMatch(request) }, request.body.data)),
  );
}

function bin(app: App): void {
  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteRegistryRecord',
        summary: 'Move a record to the bin',
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteRecord(scope, { ...request.params, expect: ifMatch(request) })),
  );

  app.post(
    `${prefix}/:id/restore`,
    {
      config: write,
      schema: { operationId: 'restoreRegistryRecord', summary: 'Restore a record from the bin', tags, params, response: one },
    },
    (request, reply) => changing(request, reply, (scope) => restoreRecord(scope, request.params)),
  );
}

/** The approval of records of forms. */
function approval(app: App): void {
  app.post(
    `${prefix}/:id/approve`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'approveRegistryRecord',
        summary: 'Approve a record of a form',
        tags,
        params,
        response: one,
      },
    },
    (request, reply) => changing(request, reply, (scope) => approveRecord(scope, { ...request.params, expect: ifMatch(request) })),
  );

  app.post(
    `${prefix}/:id/decline`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'declineRegistryRecord',
        summary: 'Decline a record of a form',
        tags,
        params,
        response: one,
      },
    },
    (request, reply) => changing(request, reply, (scope) => declineRecord(scope, { ...request.params, expect: ifMatch(request) })),
  );
}

/** Decodes the cursor of a history: the version after which the page begins, in descending order. */
function versionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 2_147_483_647;
  const [version = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,9}$/.test(version)) throw malformedCursor();
  return Number(version);
}

function history(app: App): void {
  app.get(
    `${prefix}/:id/history`,
    {
      config: read,
      schema: {
        operationId: 'listRegistryRecordHistory',
        summary: 'List the versions of a record',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxVersions })) }),
        response: { 200: Type.Array(schemas.recordVersion) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const limit = pageSize(query, maxVersions);
        const page = await recordHistory(reading(request), request.params, { before: versionOf(query.cursor), limit });
        await recordReading(request, page);
        return { found: page.found, limit, keyOf: ({ version }) => [String(version)] };
      }),
  );

  app.post(
    `${prefix}/:id/revert`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'revertRegistryRecord',
        summary: 'Restore an earlier version of a record',
        tags,
        params,
        body: schemas.revertBody,
        response: one,
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => revertRecord(scope, { ...request.params, expect: ifMatch(request) }, request.body.version)),
  );
}
