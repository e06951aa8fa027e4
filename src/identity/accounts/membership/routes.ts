import { linkSelf } from '../../../platform/http/responses.ts';
import { preparedWriting, principalOf, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { checkEmailChange, confirmEmailChange } from '../profile/email-change.ts';
import { deleteAccount, transferOwnership } from './ownership.ts';
import { getProfile } from '../profile/service.ts';
import { bodyLimit, prefix, signedIn, tags } from '../request-context.ts';
import * as schemas from '../schemas.ts';

/** Ownership transfer, change of the sign-in address, and account deletion. */
export function ownershipRoutes(app: App, accounts: Accounts): void {
  app.post(
    `${prefix}/transfer-ownership`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'transferOwnership',
        summary: 'Transfer the ownership of the team',
        tags,
        body: schemas.transferBody,
        response: { 200: schemas.message },
      },
    },
    async (request, reply) => {
      const { sessionId } = principalOf(request);
      await writing(request, (scope) => transferOwnership(accounts, scope, sessionId, request.body.newOwnerId.toLowerCase()));
      linkSelf(reply, request, '/api/v1/team');
      return { message: 'The team has its new owner. You are an administrator of it now.' };
    },
  );

  app.post(
    `${prefix}/profile/confirm-email`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' } },
      bodyLimit,
      schema: {
        operationId: 'confirmEmailChange',
        summary: 'Confirm a new email address',
        tags,
        body: schemas.codeBody,
        response: { 200: schemas.profile },
      },
    },
    async (request) => {
      const { actor, team = '' } = principalOf(request);
      return preparedWriting(
        request,
        () => checkEmailChange(accounts, app.database, { team, account: actor.id }, request.body.code),
        async (scope, checked) => {
          await confirmEmailChange(scope, actor.id, checked);
          return getProfile(scope, actor.id);
        },
      );
    },
  );

  app.delete(
    `${prefix}/profile`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' }, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'deleteProfile',
        summary: 'Delete your account',
        tags,
        response: { 200: schemas.message },
      },
    },
    async (request, reply) => {
      await writing(request, (scope) => deleteAccount(accounts, scope, principalOf(request).sessionId));
      accounts.cookie.clear(reply);
      return { message: 'The account was deleted.' };
    },
  );
}
