import { Type } from 'typebox';
import { prepareBackupCodes } from '../../../platform/crypto/backup-codes.ts';
import { created, noContent } from '../../../platform/http/responses.ts';
import { withMinimumErrorDuration } from '../../../platform/http/minimum-duration.ts';
import { principalOf, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Accounts } from '../context.ts';
import { loginOptions, loginWithPasskey, reauthenticationOptions, secondFactorOptions, verifyPasskey } from './sign-in.ts';
import * as schemas from './schemas.ts';
import { deletePasskey, getPasskey, listPasskeys, registerPasskey, registrationOptions, renamePasskey } from './service.ts';
import { ownAccount } from '../queries.ts';
import { bodyLimit, deviceOf, open, prefix, publicly, signedIn, tags } from '../request-context.ts';
import { signedIn as signedInAnswer } from '../schemas.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const base = `${prefix}/passkeys`;
/** Maximum bytes of a registration, which may include certificates. */
const registrationLimit = 32 * 1024;

export function passkeyRoutes(app: App, accounts: Accounts): void {
  managing(app, accounts);
  signingIn(app, accounts);
}

/** Managing the caller’s passkeys. */
function managing(app: App, accounts: Accounts): void {
  app.get(
    base,
    {
      config: signedIn,
      schema: { operationId: 'listPasskeys', summary: 'List one’s passkeys', tags, response: { 200: Type.Array(schemas.passkey) } },
    },
    (request) => listPasskeys(reading(request), principalOf(request).actor.id),
  );

  app.post(
    `${base}/options`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'getPasskeyRegistrationOptions',
        summary: 'Get options to register a passkey',
        tags,
        response: { 200: schemas.creationOptions },
      },
    },
    (request) => writing(request, (scope) => registrationOptions(accounts, scope, principalOf(request).sessionId)),
  );

  app.post(
    base,
    {
      config: signedIn,
      bodyLimit: registrationLimit,
      schema: {
        operationId: 'registerPasskey',
        summary: 'Register a passkey',
        tags,
        body: schemas.registerPasskeyBody,
        response: { 201: schemas.registeredPasskey },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      const before = reading(request);
      const person = await before.db.first(ownAccount, { team: before.team, id: actor.id });
      const codes = person?.two_factor_enabled ? undefined : await prepareBackupCodes(accounts.hasher);
      const passkey = await writing(request, (scope) => registerPasskey(accounts, scope, sessionId, request.body, codes));
      return created(reply, `${base}/${passkey.id}`, passkey);
    },
  );

  app.get(
    `${base}/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'getPasskey',
        summary: 'Read one of your passkeys',
        tags,
        params: idParams,
        response: { 200: schemas.passkey },
      },
    },
    (request) => getPasskey(reading(request), principalOf(request).actor.id, request.params.id),
  );

  app.patch(
    `${base}/:id`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename a passkey',
        tags,
        params: idParams,
        body: schemas.passkeyName,
        response: { 200: schemas.passkey },
      },
    },
    (request) => {
      const { actor, sessionId: session } = principalOf(request);
      const who = { account: actor.id, session };
      return writing(request, (scope) => renamePasskey(scope, who, request.params.id, request.body.name));
    },
  );

  app.delete(
    `${base}/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'deletePasskey',
        summary: 'Delete a passkey',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deletePasskey(accounts, scope, principalOf(request).sessionId, request.params.id)),
  );
}

/** Sign-in and reauthentication. */
function signingIn(app: App, accounts: Accounts): void {
  app.post(
    `${base}/login/options`,
    {
      config: { ...open, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'getPasskeyLoginOptions',
        summary: 'Get options to sign in by passkey',
        tags,
        response: { 200: schemas.requestOptions },
      },
    },
    () => loginOptions(accounts, app.clock()),
  );

  app.post(
    `${base}/login`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'loginWithPasskey',
        summary: 'Sign in by passkey',
        tags,
        body: schemas.passkeyLoginBody,
        response: { 200: signedInAnswer },
      },
    },
    async (request, reply) => {
      const device = deviceOf(request);
      // The lookup of a known passkey takes longer, so errors take a minimum duration.
      const signed = await withMinimumErrorDuration(() =>
        loginWithPasskey(accounts, app.database, publicly(request), request.body, device, app.clock()),
      );
      return accounts.cookie.keep(reply, signed);
    },
  );

  app.post(
    `${prefix}/verify-passkey/options`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'getVerifyPasskeyOptions',
        summary: 'Get options for a passkey as second factor',
        tags,
        body: schemas.challengeBody,
        response: { 200: schemas.requestOptions },
      },
    },
    (request) => secondFactorOptions(accounts, app.database, request.body.challengeId, app.clock()),
  );

  app.post(
    `${prefix}/verify-passkey`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'verifyPasskey',
        summary: 'Complete a sign-in with a passkey',
        tags,
        body: schemas.verifyPasskeyBody,
        response: { 200: signedInAnswer },
      },
    },
    async (request, reply) => {
      const device = deviceOf(request);
      const signed = await verifyPasskey(accounts, app.database, publicly(request), request.body, device, app.clock());
      return accounts.cookie.keep(reply, signed);
    },
  );

  app.post(
    `${prefix}/reauthenticate/options`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'getReauthenticationOptions',
        summary: 'Get options to reauthenticate with a passkey',
        tags,
        response: { 200: schemas.requestOptions },
      },
    },
    (request) => {
      const { actor, sessionId } = principalOf(request);
      return writing(request, (scope) => reauthenticationOptions(accounts, scope, actor.id, sessionId));
    },
  );
}
