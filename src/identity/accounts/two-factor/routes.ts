import type { FastifyRequest } from 'fastify';
import { prepareBackupCodes } from '../../../platform/crypto/backup-codes.ts';
import { linkSelf } from '../../../platform/http/responses.ts';
import { clientIp } from '../../../platform/http/client-ip.ts';
import { preparedWriting, principalOf, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { bodyLimit, deviceOf, open, prefix, publicly, signedIn, tags } from '../request-context.ts';
import * as schemas from '../schemas.ts';
import { verifyTotp } from './sign-in.ts';
import { type ReauthenticationInput, prove, type Proof, reauthenticate } from '../sign-in/reauthentication.ts';
import { checkFirstCode, confirmSetup, disable, regenerateCodes, startSetup } from './service.ts';

/** Set-up and sign-in of the second factor, and reauthentication. */
export function twoFactorRoutes(app: App, accounts: Accounts): void {
  const proofOf = (request: FastifyRequest, given: ReauthenticationInput): Promise<Proof> =>
    prove(accounts, app.database, publicly(request), { principal: principalOf(request), ip: clientIp(request), now: app.clock() }, given);

  app.post(
    `${prefix}/verify-totp`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'verifyTotp',
        summary: 'Complete a sign-in with the second factor',
        tags,
        body: schemas.verifyTotpInTeamBody,
        response: { 200: schemas.signedIn },
      },
    },
    async (request, reply) => {
      const answer = await verifyTotp(accounts, app.database, publicly(request), request.body, deviceOf(request), app.clock());
      return accounts.cookie.keep(reply, answer);
    },
  );

  app.post(
    `${prefix}/reauthenticate`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'reauthenticate',
        summary: 'Reauthenticate (RFC 9470)',
        tags,
        body: schemas.proofBody,
        response: { 200: schemas.accessToken },
      },
    },
    (request) =>
      preparedWriting(
        request,
        () => proofOf(request, request.body),
        (scope, proof) => reauthenticate(accounts, scope, principalOf(request).sessionId, proof),
      ),
  );

  app.post(
    `${prefix}/2fa/enable-init`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'beginTwoFactorSetup',
        summary: 'Start the setup of two-factor authentication',
        tags,
        response: { 200: schemas.setup },
      },
    },
    async (request) => {
      const codes = await prepareBackupCodes(accounts.hasher);
      return writing(request, (scope) => startSetup(accounts, scope, principalOf(request).sessionId, codes));
    },
  );

  app.post(
    `${prefix}/2fa/enable-confirm`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'confirmTwoFactorSetup',
        summary: 'Turn on two-factor authentication',
        tags,
        body: schemas.confirmSetupBody,
        response: { 200: schemas.message },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      await preparedWriting(
        request,
        () => checkFirstCode(accounts, app.database, actor.id, request.body, app.clock()),
        (scope, step) => confirmSetup(accounts, scope, sessionId, actor.id, { setupId: request.body.setupId, step }),
      );
      linkSelf(reply, request, `${prefix}/profile`);
      return { message: 'Two-factor authentication is on. Every other session ended.' };
    },
  );

  app.post(
    `${prefix}/2fa/regenerate-codes`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: { operationId: 'regenerateBackupCodes', summary: 'Replace the backup codes', tags, response: { 200: schemas.backupCodes } },
    },
    async (request) => {
      const codes = await prepareBackupCodes(accounts.hasher);
      return writing(request, (scope) => regenerateCodes(scope, principalOf(request).sessionId, codes));
    },
  );

  app.post(
    `${prefix}/2fa/disable`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'disableTwoFactor',
        summary: 'Turn off two-factor authentication',
        tags,
        body: schemas.optionalProofBody,
        response: { 200: schemas.message },
      },
    },
    (request, reply) => {
      linkSelf(reply, request, `${prefix}/profile`);
      const given = schemas.proofIn(request.body);
      return preparedWriting(
        request,
        async () => given && proofOf(request, given),
        async (scope, proof) => {
          const left = await disable(accounts, scope, principalOf(request).sessionId, proof);
          return {
            message:
              left === 'off'
                ? 'Two-factor authentication is off.'
                : 'The authenticator app is off. Your passkeys stay: signing in requires one of them or a backup code.',
          };
        },
      );
    },
  );
}
