import { linkSelf } from '../../../platform/http/responses.ts';
import { clientIp } from '../../../platform/http/client-ip.ts';
import { withMinimumDuration } from '../../../platform/http/minimum-duration.ts';
import { principalOf, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { bodyLimit, deviceOf, open, prefix, publicly, signedIn, tags } from '../request-context.ts';
import { changePassword, preparePasswordChange, requestReset, resetPassword } from './reset.ts';
import * as schemas from '../schemas.ts';

export function passwordRoutes(app: App, accounts: Accounts): void {
  app.post(
    `${prefix}/request-password-reset`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset',
        tags,
        body: schemas.resetRequestBody,
        response: { 200: schemas.message },
      },
    },
    async (request) => {
      const device = { ...deviceOf(request), refreshCookie: accounts.cookie.read(request) };
      await withMinimumDuration(() => requestReset(accounts, app.database, publicly(request), request.body, device, app.clock()));
      return { message: 'If the address has an account, a link was mailed to it.' };
    },
  );

  app.post(
    `${prefix}/reset-password`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset the password',
        tags,
        body: schemas.resetBody,
        response: { 200: schemas.message },
      },
    },
    async (request, reply) => {
      const account = await resetPassword(accounts, app.database, publicly(request), request.body);
      accounts.pass.give(reply, account, app.clock());
      return { message: 'The password was set. Sign in with it.' };
    },
  );

  app.put(
    `${prefix}/change-password`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        tags,
        body: schemas.changePasswordBody,
        response: { 200: schemas.changed },
      },
    },
    async (request, reply) => {
      const { actor, sessionId, team = '' } = principalOf(request);
      const hash = await preparePasswordChange(
        accounts,
        app.database,
        publicly(request),
        { team, id: actor.id, ip: clientIp(request) },
        request.body,
      );
      const { accessToken, refreshToken } = await writing(request, (scope) =>
        changePassword(accounts, scope, actor.id, sessionId, hash, deviceOf(request)),
      );
      accounts.cookie.set(reply, refreshToken);
      linkSelf(reply, request, `${prefix}/profile`);
      return { accessToken, message: 'The password was changed, and every other session ended.' };
    },
  );
}
