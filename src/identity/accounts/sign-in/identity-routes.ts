import { Type } from 'typebox';
import { noContent } from '../../../platform/http/responses.ts';
import { principalOf, reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { prefix, signedIn, tags } from '../request-context.ts';
import * as schemas from '../schemas.ts';
import { managers } from '../roles.ts';
import { listIdentities, listMemberIdentities, removeIdentity, removeMemberIdentity } from './identities.ts';

const ofMember = '/api/v1/team/members/:userId/identities';

/** The identities of the caller, and those of a member for administrators. */
export function identityRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/identities`,
    {
      config: signedIn,
      schema: {
        operationId: 'listIdentities',
        summary: 'List your identities at providers',
        tags,
        response: { 200: Type.Array(schemas.linkedIdentity) },
      },
    },
    (request) => listIdentities(reading(request), principalOf(request).actor.id),
  );

  app.delete(
    `${prefix}/identities/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'deleteIdentity',
        summary: 'Remove an identity at a provider',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => removeIdentity(accounts, scope, principalOf(request).sessionId, request.params.id)),
  );

  app.get(
    ofMember,
    {
      config: { access: { kind: 'user', scope: 'team:read', roles: managers } },
      schema: {
        operationId: 'listMemberIdentities',
        summary: 'List a member’s identities at providers',
        tags,
        params: Type.Object({ userId: Type.String() }),
        response: { 200: Type.Array(schemas.linkedIdentity) },
      },
    },
    (request) => listMemberIdentities(reading(request), request.params.userId),
  );

  app.delete(
    `${ofMember}/:id`,
    {
      config: { access: { kind: 'user', scope: 'team:write', person: true } },
      schema: {
        operationId: 'deleteMemberIdentity',
        summary: 'Remove a member’s identity at a provider',
        tags,
        params: Type.Object({ userId: Type.String(), id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => removeMemberIdentity(accounts, scope, principalOf(request).sessionId, request.params)),
  );
}
