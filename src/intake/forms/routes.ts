import { Type } from 'typebox';
import { changing, creating, noBodyIsEmpty, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, sendPage } from '../../platform/http/page.ts';
import { reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { closeInterface, getLinks, publishInterface, type Publishing, rotateLink } from './publish.ts';
import * as schemas from './schemas.ts';
import { createInterface, deleteInterface, duplicateInterface, getInterface, listInterfaces, updateInterface } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/interfaces';
const tags = ['Interfaces'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;
const write = { access: { kind: 'user', scope: 'interfaces:write' } } as const;

export function interfaceRoutes(app: App, interfaces: Publishing): void {
  listAndCreate(app);
  oneInterface(app);
  publishing(app, interfaces);
}

function listAndCreate(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listInterfaces',
        summary: 'List interfaces',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery, ...schemas.filters }),
        response: { 200: Type.Array(schemas.listedInterface) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, updatedSince, ...filters }) =>
        listInterfaces(scope, filters, changePage({ limit, cursor, sort, updatedSince })),
      ),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createInterface',
        summary: 'Create a form, booking form or registry form',
        tags,
        body: schemas.createBody,
        response: { 201: schemas.managedInterface },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createInterface(scope, request.body)),
  );
}

function oneInterface(app: App): void {
  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: {
        operationId: 'getInterface',
        summary: 'Read an interface',
        tags,
        params: idParams,
        response: { 200: schemas.managedInterface },
      },
    },
    (request, reply) => withEtag(reply, getInterface(reading(request), request.params.id)),
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateInterface',
        summary: 'Change the draft of an interface',
        tags,
        params: idParams,
        body: schemas.updateBody,
        response: { 200: schemas.managedInterface },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateInterface(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/duplicate`,
    {
      config: { ...write, lenientBody: true },
      preValidation: noBodyIsEmpty,
      schema: {
        operationId: 'duplicateInterface',
        summary: 'Duplicate an interface',
        tags,
        params: idParams,
        body: schemas.duplicateBody,
        response: { 201: schemas.managedInterface },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => duplicateInterface(scope, request.params.id, request.body)),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteInterface',
        summary: 'Delete an interface',
        tags,
        params: idParams,
        querystring: schemas.deleteQuery,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deleteInterface(scope, request.params.id, { expect: ifMatch(request), ...request.query })),
  );
}

function publishing(app: App, interfaces: Publishing): void {
  app.post(
    `${prefix}/:id/publish`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'publishInterface',
        summary: 'Publish the draft of an interface',
        tags,
        params: idParams,
        body: schemas.publishBody,
        response: { 200: schemas.linkedInterface },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        publishInterface(interfaces, scope, request.params.id, { input: request.body, expect: ifMatch(request) }),
      ),
  );

  app.post(
    `${prefix}/:id/close`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'closeInterface',
        summary: 'Close an interface',
        tags,
        params: idParams,
        response: { 200: schemas.managedInterface },
      },
    },
    (request, reply) => changing(request, reply, (scope) => closeInterface(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/rotate-token`,
    {
      config: write,
      schema: {
        operationId: 'rotateInterfaceToken',
        summary: 'Replace a link of an interface',
        tags,
        params: idParams,
        body: schemas.rotateBody,
        response: { 200: schemas.linkedInterface },
      },
    },
    (request, reply) => changing(request, reply, (scope) => rotateLink(interfaces, scope, request.params.id, request.body.channel)),
  );

  app.get(
    `${prefix}/:id/links`,
    {
      config: read,
      schema: {
        operationId: 'getInterfaceLinks',
        summary: 'Read the links of an interface',
        tags,
        params: idParams,
        response: { 200: schemas.linkList },
      },
    },
    (request) => getLinks(interfaces, reading(request), request.params.id),
  );
}
