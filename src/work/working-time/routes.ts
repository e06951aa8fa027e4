import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { preparedWriting, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { getWorkingTime, prepareWorkingTime, putWorkingTime } from './service.ts';

const path = '/api/v1/team/working-time';
const tags = ['Team'];
const response = { 200: schemas.workingTime };

export function workingTimeRoutes(app: App): void {
  app.get(
    path,
    {
      config: { access: { kind: 'user', scope: 'team:read' } },
      schema: { operationId: 'getWorkingTime', summary: 'Read the working time of the team', tags, response },
    },
    (request, reply) => withEtag(reply, getWorkingTime(reading(request))),
  );
  app.put(
    path,
    {
      config: { access: { kind: 'user', scope: 'team:write', person: true }, requiresIfMatch: true },
      schema: { operationId: 'putWorkingTime', summary: 'Set the working time of the team', tags, body: schemas.workingTimeBody, response },
    },
    (request, reply) =>
      withEtag(
        reply,
        preparedWriting(
          request,
          () => prepareWorkingTime(request.body, request.server.clock()),
          (scope, prepared) => putWorkingTime(scope, prepared, ifMatch(request)),
        ),
      ),
  );
}
