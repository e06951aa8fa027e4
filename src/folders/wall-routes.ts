import { Type } from 'typebox';
import { created, noContent } from '../platform/http/answers.ts';
import { reading, writing } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import { askOpening, consentToOpening, listOpenings } from './openings.ts';
import { idParams, opening, openingBody, wall, wallBody } from './schemas.ts';
import { liftWall, readWall, setWall } from './walls.ts';

const path = '/api/v1/smartdoc/folders/:id/wall';
// A wall is an agreement among persons: no API client sets one, lifts one or is let in.
const read = { access: { kind: 'user', scope: 'folders:read', person: true } } as const;
const write = { access: { kind: 'user', scope: 'folders:write', person: true } } as const;
const tags = ['Folders'];

export function wallRoutes(app: App): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'getFolderWall',
        summary: 'Read who is inside of a folder’s wall',
        tags,
        params: idParams,
        response: { 200: wall },
      },
    },
    (request) => readWall(reading(request), request.params.id),
  );

  app.put(
    path,
    {
      config: write,
      schema: {
        operationId: 'putFolderWall',
        summary: 'Put a wall around a folder, or name anew who is inside',
        tags,
        params: idParams,
        body: wallBody,
        response: { 200: wall },
      },
    },
    (request) => writing(request, (scope) => setWall(scope, request.params.id, request.body.userIds)),
  );

  app.delete(
    path,
    {
      config: write,
      schema: {
        operationId: 'deleteFolderWall',
        summary: 'Lift the wall of a folder',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => liftWall(scope, request.params.id)),
  );

  app.get(
    `${path}/openings`,
    {
      config: read,
      schema: {
        operationId: 'listWallOpenings',
        summary: 'List who asked to break the glass',
        tags,
        params: idParams,
        response: { 200: Type.Array(opening) },
      },
    },
    (request) => listOpenings(reading(request), request.params.id),
  );

  app.post(
    `${path}/openings`,
    {
      config: write,
      schema: {
        operationId: 'requestWallOpening',
        summary: 'Ask, as an administrator, to break the glass',
        tags,
        params: idParams,
        body: openingBody,
        response: { 201: opening },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => askOpening(scope, request.params.id, request.body.reason));
      return created(reply, `/api/v1/smartdoc/folders/${made.folderId}/wall/openings`, made);
    },
  );

  app.post(
    `${path}/openings/:openingId/consent`,
    {
      config: write,
      schema: {
        operationId: 'consentToWallOpening',
        summary: 'Consent to another’s request: for 24 hours they are inside',
        tags,
        params: Type.Object({ id: Type.String(), openingId: Type.String() }),
        response: { 200: opening },
      },
    },
    (request) => writing(request, (scope) => consentToOpening(scope, request.params.id, request.params.openingId)),
  );
}
