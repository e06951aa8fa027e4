import { Type } from 'typebox';
import { noContent } from '../../platform/http/answers.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { prefix, signedIn, tags } from '../request-context.ts';
import * as schemas from '../schemas.ts';
import { listIdentities, removeIdentity } from './identities.ts';

/** The caller's own identities at providers. */
export function identityRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/identities`,
    {
      config: signedIn,
      schema: {
        operationId: 'listIdentities',
        summary: 'List one’s identities at providers',
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
}
