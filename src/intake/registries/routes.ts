import { Type } from 'typebox';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, sendPage } from '../../platform/http/page.ts';
import { reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { sharingRoutes } from '#access';
import type { AskBindings } from './bindings.ts';
import { createBody, registry, updateBody } from './schemas.ts';
import { createRegistry, deleteRegistry, getRegistry, listBin, listRegistries, restoreRegistry, updateRegistry } from './service.ts';
import { registrySharing } from './shares.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/registries';
const tags = ['Registries'];
const read = { access: { kind: 'user', scope: 'registries:read' } } as const;
const write = { access: { kind: 'user', scope: 'registries:write' } } as const;
const params = idParams;

/** The routes of registries. `bindings` returns the forms that use a registry. */
export function registryRoutes(app: App, bindings: AskBindings): void {
  lists(app);
  oneRegistry(app, bindings);
  sharingRoutes(app, { sharing: registrySharing, prefix, name: 'Registry', tag: 'Registries', scope: 'registries', bindable: true });
}

function lists(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listRegistries',
        summary: 'List registries',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(registry) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listRegistries(scope, changePage(query))),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: { operationId: 'createRegistry', summary: 'Create a registry', tags, body: createBody, response: { 201: registry } },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createRegistry(scope, request.body)),
  );

  app.get(
    `${prefix}/bin`,
    {
      config: read,
      schema: {
        operationId: 'listRegistryBin',
        summary: 'List the registries in the bin',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(registry) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listBin(scope, changePage(query))),
  );
}

function oneRegistry(app: App, bindings: AskBindings): void {
  app.get(
    `${prefix}/:id`,
    { config: read, schema: { operationId: 'getRegistry', summary: 'Read a registry', tags, params, response: { 200: registry } } },
    (request, reply) => withEtag(reply, getRegistry(reading(request), request.params.id)),
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateRegistry',
        summary: 'Change a registry',
        tags,
        params,
        body: updateBody,
        response: { 200: registry },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => updateRegistry(scope, request.params.id, request.body, { expect: ifMatch(request), bindings })),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteRegistry',
        summary: 'Move a registry to the bin',
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deleteRegistry(scope, request.params.id, { expect: ifMatch(request), bindings })),
  );

  app.post(
    `${prefix}/:id/restore`,
    {
      config: write,
      schema: { operationId: 'restoreRegistry', summary: 'Restore a registry from the bin', tags, params, response: { 200: registry } },
    },
    (request, reply) => changing(request, reply, (scope) => restoreRegistry(scope, request.params.id)),
  );
}
