import { managers } from '#accounts';
import { Type } from 'typebox';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { answerPage, decodeCursor, pageQuery, pageSize } from '../../../platform/http/page.ts';
import { changing, creating, noContent } from '../../../platform/http/responses.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { createPolicy, deletePolicy, updatePolicy } from './change.ts';
import { getPolicy, listPolicies, listVersions } from './service.ts';
import * as schemas from './schemas.ts';
import { tryPolicy } from './try.ts';

const prefix = '/api/v1/approval-policies';
const tags = ['Approvals'];
const read = { access: { kind: 'user', scope: 'team:read' } } as const;
// A policy decides who approves, so only a user with the role can change it.
const write = { access: { kind: 'user', scope: 'team:write', person: true, roles: managers } } as const;
const params = schemas.nameParams;

/** Returns the version in a cursor; null for any text that is not a version. */
const versionOf = (text: string | undefined): number | null => (text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null);

export function policyRoutes(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listApprovalPolicies',
        summary: 'List approval policies',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.policy) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const [after = ''] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
        const page = { after, limit: pageSize(query) };
        const found = await listPolicies(reading(request), page);
        return { found, limit: page.limit, keyOf: ({ name }) => [name] };
      }),
  );
  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createApprovalPolicy',
        summary: 'Create an approval policy',
        tags,
        body: schemas.policyBody,
        response: { 201: schemas.policy },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:name`, (scope) => createPolicy(scope, request.body)),
  );
  app.get(
    `${prefix}/:name`,
    {
      config: read,
      schema: {
        operationId: 'getApprovalPolicy',
        summary: 'Read an approval policy',
        tags,
        params,
        response: { 200: schemas.policy },
      },
    },
    (request, reply) => withEtag(reply, getPolicy(reading(request), request.params.name)),
  );
  app.put(
    `${prefix}/:name`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateApprovalPolicy',
        summary: 'Replace the rules of an approval policy',
        tags,
        params,
        body: schemas.policyChange,
        response: { 200: schemas.policy },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updatePolicy(scope, request.params.name, request.body, ifMatch(request))),
  );
  app.delete(
    `${prefix}/:name`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteApprovalPolicy',
        summary: 'Delete an approval policy',
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deletePolicy(scope, request.params.name, ifMatch(request))),
  );
  app.get(
    `${prefix}/:name/versions`,
    {
      config: read,
      schema: {
        operationId: 'listApprovalPolicyVersions',
        summary: 'List the versions of an approval policy',
        tags,
        params,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.policyVersion) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const [before] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
        const page = { before: versionOf(before), limit: pageSize(query) };
        const found = await listVersions(reading(request), request.params.name, page);
        return { found, limit: page.limit, keyOf: ({ version }) => [String(version)] };
      }),
  );
  app.post(
    `${prefix}/:name/try`,
    {
      config: read,
      schema: {
        operationId: 'tryApprovalPolicy',
        summary: 'Try an approval policy',
        tags,
        params,
        body: schemas.tryBody,
        response: { 200: schemas.trial },
      },
    },
    (request) => tryPolicy(reading(request), request.params.name, request.body),
  );
}
