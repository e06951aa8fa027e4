import { managers } from '#accounts';
import { Type } from 'typebox';
import { created, noContent } from '../../platform/http/responses.ts';
import { answerPage, idPage, pageQuery } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { liftBarrier, listBarriers, readBarrier, setBarrier } from './barriers.ts';
import { approveEmergencyAccess, listEmergencyAccess, requestEmergencyAccess } from './emergency-access.ts';
import * as schemas from './schemas.ts';
import { idParams } from '../../platform/schema-parts.ts';

const ofFolder = '/api/v1/smartdoc/folders/:id/barrier';
const register = '/api/v1/barriers';
// Only persons raise and lift barriers or get emergency access. API clients cannot.
const read = { access: { kind: 'user', scope: 'folders:read', person: true } } as const;
const write = { access: { kind: 'user', scope: 'folders:write', person: true } } as const;
const tags = ['Barriers'];

export function barrierRoutes(app: App, maxDocuments: number): void {
  app.get(
    ofFolder,
    {
      config: read,
      schema: {
        operationId: 'getFolderBarrier',
        summary: 'Read the members of the barrier on a folder',
        tags,
        params: idParams,
        response: { 200: schemas.folderBarrier },
      },
    },
    (request) => readBarrier(reading(request), request.params.id),
  );

  app.put(
    ofFolder,
    {
      config: write,
      schema: {
        operationId: 'putFolderBarrier',
        summary: 'Raise a barrier on a folder, or replace its members',
        tags,
        params: idParams,
        body: schemas.barrierBody,
        response: { 200: schemas.folderBarrier, 202: schemas.folderBarrier },
      },
    },
    async (request, reply) => {
      const barrier = await writing(request, (scope) => setBarrier(scope, request.params.id, request.body, maxDocuments));
      reply.code(barrier.status === 'active' ? 200 : 202);
      return barrier;
    },
  );

  app.delete(
    ofFolder,
    {
      config: write,
      schema: {
        operationId: 'deleteFolderBarrier',
        summary: 'Lift the barrier on a folder',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => liftBarrier(scope, request.params.id, maxDocuments)),
  );

  registerRoutes(app);
}

function registerRoutes(app: App): void {
  app.get(
    `${register}/`,
    {
      config: { access: { ...read.access, roles: managers } },
      schema: {
        operationId: 'listBarriers',
        summary: 'List the barriers of the team',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.barrier) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listBarriers(reading(request), page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.get(
    `${register}/:id/emergency-access`,
    {
      config: read,
      schema: {
        operationId: 'listEmergencyAccess',
        summary: 'List the requests for emergency access',
        tags,
        params: idParams,
        response: { 200: Type.Array(schemas.emergencyAccess) },
      },
    },
    (request) => listEmergencyAccess(reading(request), request.params.id),
  );

  app.post(
    `${register}/:id/emergency-access`,
    {
      config: write,
      schema: {
        operationId: 'requestEmergencyAccess',
        summary: 'Request emergency access as an administrator',
        tags,
        params: idParams,
        body: schemas.emergencyAccessBody,
        response: { 201: schemas.emergencyAccess },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => requestEmergencyAccess(scope, request.params.id, request.body.reason));
      return created(reply, `${register}/${made.barrierId}/emergency-access`, made);
    },
  );

  app.post(
    `${register}/:id/emergency-access/:emergencyAccessId/approve`,
    {
      config: write,
      schema: {
        operationId: 'approveEmergencyAccess',
        summary: 'Approve emergency access',
        tags,
        params: Type.Object({ id: Type.String(), emergencyAccessId: Type.String() }),
        response: { 200: schemas.emergencyAccess },
      },
    },
    (request) => writing(request, (scope) => approveEmergencyAccess(scope, request.params.id, request.params.emergencyAccessId)),
  );
}
