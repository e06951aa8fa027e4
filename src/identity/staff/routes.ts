import type { FastifyReply } from 'fastify';
import { accountSchemas } from '#accounts';
import { prepareBackupCodes } from '../../platform/crypto/backup-codes.ts';
import { linkSelf } from '../../platform/http/responses.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { Problem } from '../../platform/problems.ts';
import { Type } from 'typebox';
import { across, type Staff } from './context.ts';
import { setStaffPassword } from './members.ts';
import { operationRoutes } from './operation-routes.ts';
import { presentStaff } from './present.ts';
import { staffById } from './queries.ts';
import { acting, bodyLimit, byStaff, open, originOf, prefix, preparedActing } from './request-context.ts';
import * as schemas from './schemas.ts';
import { proveStaff, staffLogout, staffReauthenticate, staffRefresh } from './session.ts';
import { staffLogin, type StaffSignedIn, staffVerifyTotp } from './sign-in.ts';
import { checkStaffSetup, confirmStaffSetup, disableStaffTotp, regenerateStaffCodes, startStaffSetup } from './totp.ts';

const tags = ['Staff authentication'];

export function staffRoutes(app: App, staff: Staff): void {
  signInRoutes(app, staff);
  totpRoutes(app, staff);
  operationRoutes(app, staff);
}

/** Sets the cookies of a completed sign-in and returns its response. */
function letIn(staff: Staff, reply: FastifyReply, { subject: account, ...signed }: StaffSignedIn, now: Date) {
  staff.pass.give(reply, account, now);
  return staff.cookie.keep(reply, signed);
}

function signInRoutes(app: App, staff: Staff): void {
  app.post(
    `${prefix}/login`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'staffLogin',
        summary: 'Sign in as staff',
        tags,
        body: schemas.loginBody,
        response: { 200: Type.Union([schemas.signedIn, accountSchemas.challenge]) },
      },
    },
    async (request, reply) => {
      const signed = await staffLogin(staff, { ...request.body, pass: staff.pass.read(request) }, originOf(request));
      return 'challengeId' in signed ? signed : letIn(staff, reply, signed, app.clock());
    },
  );

  app.post(
    `${prefix}/verify-totp`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'verifyStaffTotp',
        summary: 'Complete a staff sign-in with the second factor',
        tags,
        body: accountSchemas.verifyTotpBody,
        response: { 200: schemas.signedIn },
      },
    },
    async (request, reply) => {
      return letIn(staff, reply, await staffVerifyTotp(staff, request.body, originOf(request)), app.clock());
    },
  );

  app.post(
    `${prefix}/refresh`,
    {
      config: { ...open, errorShape: 'oauth', lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'refreshStaff',
        summary: 'Renew the tokens of staff',
        tags,
        body: accountSchemas.refreshBody,
        response: { 200: accountSchemas.tokens },
      },
    },
    async (request, reply) => {
      const given = accountSchemas.tokenIn(request.body);
      if (given === undefined) staff.cookie.refuseForeignPage(request);
      try {
        const answer = await staffRefresh(staff, given ?? staff.cookie.read(request), originOf(request));
        staff.cookie.set(reply, answer.refreshToken);
        return answer;
      } catch (error) {
        // After a concurrent refresh the browser may already have a newer cookie, which must stay.
        if (error instanceof Problem && error.status === 401 && error.code !== 'refresh_token_superseded') staff.cookie.clear(reply);
        throw error;
      }
    },
  );

  app.post(
    `${prefix}/logout`,
    {
      config: { ...byStaff, lenientBody: true },
      bodyLimit,
      schema: { operationId: 'staffLogout', summary: 'Sign out as staff', tags, response: { 200: schemas.ok } },
    },
    async (request, reply) => {
      await acting(staff, request, 'staff sign-out', (scope) => staffLogout(scope, principalOf(request)));
      staff.cookie.clear(reply);
      return { ok: true };
    },
  );

  app.get(
    `${prefix}/profile`,
    {
      config: byStaff,
      schema: { operationId: 'getStaffProfile', summary: 'Read your own staff account', tags, response: { 200: schemas.staff } },
    },
    async (request) => {
      const { actor } = principalOf(request);
      const row = await across(staff, 'staff profile', (tx) => tx.first(staffById, { id: actor.id }));
      if (!row) throw new Error('a valid staff session has no account');
      return presentStaff(row);
    },
  );

  app.post(
    `${prefix}/reauthenticate`,
    {
      config: byStaff,
      bodyLimit,
      schema: {
        operationId: 'reauthenticateStaff',
        summary: 'Reauthenticate as staff (RFC 9470)',
        tags,
        body: schemas.proofBody,
        response: { 200: accountSchemas.accessToken },
      },
    },
    async (request) => {
      const { actor, sessionId } = principalOf(request);
      return preparedActing(
        staff,
        request,
        'staff reauthenticates',
        () => proveStaff(staff, actor.id, request.body, originOf(request)),
        (scope, proof) => staffReauthenticate(staff, scope, sessionId, proof),
      );
    },
  );

  app.post(
    `${prefix}/set-password`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'setStaffPassword',
        summary: 'Set a password with the token of a link',
        tags,
        body: schemas.passwordBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const origin = originOf(request);
      staff.pass.give(reply, await setStaffPassword(staff, request.body, origin), origin.now);
      return reply.code(204).send(null);
    },
  );
}

function totpRoutes(app: App, staff: Staff): void {
  app.post(
    `${prefix}/totp/setup-init`,
    {
      config: { ...byStaff, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'beginStaffTotpSetup',
        summary: 'Start the setup of the second factor',
        tags,
        response: { 200: accountSchemas.setup },
      },
    },
    async (request) => {
      const codes = await prepareBackupCodes(staff.hasher);
      const { sessionId } = principalOf(request);
      return acting(staff, request, 'staff sets up', (scope) => startStaffSetup(staff, scope, sessionId, codes));
    },
  );

  app.post(
    `${prefix}/totp/setup-confirm`,
    {
      config: byStaff,
      bodyLimit,
      schema: {
        operationId: 'confirmStaffTotpSetup',
        summary: 'Turn on the second factor',
        tags,
        body: accountSchemas.confirmSetupBody,
        response: { 200: schemas.ok },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      await preparedActing(
        staff,
        request,
        'staff sets up',
        () => checkStaffSetup(staff, actor.id, request.body, app.clock()),
        (scope, step) => confirmStaffSetup(staff, scope, actor.id, sessionId, { setupId: request.body.setupId, step }),
      );
      linkSelf(reply, request, `${prefix}/profile`);
      return { ok: true };
    },
  );

  app.post(
    `${prefix}/totp/regenerate-backup`,
    {
      config: { ...byStaff, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'regenerateStaffBackupCodes',
        summary: 'Replace the backup codes',
        tags,
        response: { 200: accountSchemas.backupCodes },
      },
    },
    async (request) => {
      const codes = await prepareBackupCodes(staff.hasher);
      return acting(staff, request, 'staff backup codes', (scope) => regenerateStaffCodes(scope, principalOf(request).sessionId, codes));
    },
  );

  app.post(
    `${prefix}/totp/disable`,
    {
      config: { ...byStaff, lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'disableStaffTotp',
        summary: 'Turn off the second factor',
        tags,
        body: accountSchemas.optionalProofBody,
        response: { 200: schemas.ok },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      const given = accountSchemas.proofIn(request.body);
      await preparedActing(
        staff,
        request,
        'staff turns the second factor off',
        async () => given && proveStaff(staff, actor.id, given, originOf(request)),
        (scope, proof) => disableStaffTotp(staff, scope, sessionId, proof),
      );
      linkSelf(reply, request, `${prefix}/profile`);
      return { ok: true };
    },
  );
}
