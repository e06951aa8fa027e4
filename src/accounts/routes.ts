import { Type } from 'typebox';
import { linkSelf } from '../platform/http/answers.ts';
import { clientIp } from '../platform/http/client-ip.ts';
import { inEvenTime, refusedInEvenTime } from '../platform/http/even-time.ts';
import { answerPage, newestFirst, pageQuery } from '../platform/http/page.ts';
import { principalOf, reading, writing } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import { inWords } from '../platform/lifetimes.ts';
import { notFound, pathId } from '../platform/identifiers.ts';
import { Problem } from '../platform/problems.ts';
import { preferredLanguage } from '../platform/mail/compose.ts';
import {
  createChallenge,
  registrationCookie,
  setRegistrationCookie,
  register,
  resendVerification,
  verifyEmail,
} from './registration/index.ts';
import type { Accounts } from './context.ts';
import { login, endSession, logout, refresh } from './sign-in/index.ts';
import { changePassword, preparePasswordChange, requestReset, resetPassword } from './passwords/index.ts';
import { getProfile, updateProfile, getNotifications, updateNotifications, requestEmailChange } from './profile/index.ts';
import { listSessions } from './queries.ts';
import { ownershipRoutes } from './membership/index.ts';
import { bodyLimit, contextOf, deviceOf, open, prefix, publicly, signedIn, tags } from './request-context.ts';
import { passkeyRoutes } from './passkeys/index.ts';
import { twoFactorRoutes } from './two-factor/index.ts';
import * as schemas from './schemas.ts';

const sessionsAtOnce = 500;

export function accountRoutes(app: App, accounts: Accounts): void {
  registrationRoutes(app, accounts);
  signInRoutes(app, accounts);
  passwordRoutes(app, accounts);
  profileRoutes(app, accounts);
  twoFactorRoutes(app, accounts);
  passkeyRoutes(app, accounts);
  ownershipRoutes(app, accounts);
}

function registrationRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/altcha`,
    {
      config: open,
      schema: {
        operationId: 'getAltchaChallenge',
        summary: 'A challenge for a proof of work',
        tags,
        querystring: schemas.altchaQuery,
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    (request) =>
      createChallenge({
        key: accounts.keys.altcha,
        now: app.clock(),
        version: request.query.v === 2 ? 2 : 1,
        action: request.query.action,
      }),
  );

  app.post(
    `${prefix}/register`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'register',
        summary: 'Register a person and, once confirmed, their team',
        tags,
        body: schemas.registerBody,
        response: { 201: schemas.message },
      },
    },
    async (request, reply) => {
      const origin = { ...deviceOf(request), language: preferredLanguage(request.headers['accept-language']) };
      const { device } = await register(accounts, app.database, request.body, origin, app.clock());
      setRegistrationCookie(accounts, reply, device);
      reply.code(201);
      return {
        message: `If the address can be registered, a code was mailed to it. Enter it within ${inWords(accounts.settings.lifetimes.mailedCode)}.`,
      };
    },
  );

  app.post(
    `${prefix}/verify-email`,
    {
      config: { ...open, linksToMore: true },
      bodyLimit,
      schema: {
        operationId: 'verifyEmail',
        summary: 'Confirm the address with the mailed code',
        tags,
        body: schemas.verifyBody,
        response: { 200: schemas.signedIn },
      },
    },
    async (request, reply) => {
      const device = { ...deviceOf(request), registered: registrationCookie(accounts, request) };
      const { invitationWaits, ...verified } = await refusedInEvenTime(() =>
        verifyEmail(accounts, app.database, publicly(request), request.body, device),
      );
      // The contract has no member for it: where one reads of the invitation stands in a header.
      if (invitationWaits)
        reply.header('link', `<${app.baseUrl}/api/v1/team/invitations/waiting>; rel="related"; title="An invitation waits"`);
      return accounts.cookie.keep(reply, verified);
    },
  );

  app.post(
    `${prefix}/resend-verification`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'resendVerification',
        summary: 'Mail a new code',
        tags,
        body: schemas.emailBody,
        response: { 200: schemas.message },
      },
    },
    async (request) => {
      const device = { ...deviceOf(request), registered: registrationCookie(accounts, request) };
      await inEvenTime(() => resendVerification(accounts, app.database, request.body.email, device));
      return { message: 'If the address awaits confirmation, a new code was mailed to it.' };
    },
  );
}

function signInRoutes(app: App, accounts: Accounts): void {
  app.post(
    `${prefix}/login`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'login',
        summary: 'Sign in with a password',
        tags,
        body: schemas.loginBody,
        response: { 200: Type.Union([schemas.signedIn, schemas.challenge]) },
      },
    },
    async (request, reply) => {
      const device = { ...deviceOf(request), refreshCookie: accounts.cookie.read(request), pass: accounts.pass.read(request) };
      const signed = await login(accounts, app.database, contextOf(request), request.body, device);
      if ('challengeId' in signed) return signed;
      return accounts.cookie.keep(reply, signed);
    },
  );

  app.post(
    `${prefix}/refresh`,
    {
      config: { ...open, errorShape: 'oauth', lenientBody: true },
      bodyLimit,
      schema: {
        operationId: 'refresh',
        summary: 'Renew the tokens, by body or cookie',
        tags,
        body: schemas.refreshBody,
        response: { 200: schemas.tokens },
      },
    },
    async (request, reply) => {
      const given = schemas.tokenIn(request.body);
      if (given === undefined) accounts.cookie.refuseForeignPage(request);
      try {
        const answer = await refresh(accounts, app.database, publicly(request), given ?? accounts.cookie.read(request));
        accounts.cookie.set(reply, answer.refreshToken);
        return answer;
      } catch (error) {
        // A token that was merely overtaken may have left a newer cookie behind: that one stays.
        if (error instanceof Problem && error.status === 401 && error.code !== 'refresh_token_superseded') accounts.cookie.clear(reply);
        throw error;
      }
    },
  );

  app.post(
    `${prefix}/logout`,
    {
      config: { ...signedIn, lenientBody: true },
      bodyLimit,
      schema: { operationId: 'logout', summary: 'End this session', tags, body: schemas.refreshBody, response: { 200: schemas.message } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const token = schemas.tokenIn(request.body) ?? accounts.cookie.read(request);
      await writing(request, (scope) => logout(accounts, scope, principal.sessionId, principal.actor.id, token));
      accounts.cookie.clear(reply);
      return { message: 'You are signed out.' };
    },
  );

  app.get(
    `${prefix}/sessions`,
    {
      config: signedIn,
      schema: {
        operationId: 'listSessions',
        summary: 'List one’s sessions, the one last used first',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.session) },
      },
    },
    async (request, reply) => {
      const { actor, sessionId } = principalOf(request);
      const scope = reading(request);
      const page = newestFirst(request.query, sessionsAtOnce);
      const found = await scope.db.all(listSessions, { team: scope.team, account: actor.id, ...page });
      return answerPage(reply, request, { found, limit: page.limit }, ({ last_used_at, id }) => [last_used_at, id]).map((row) => ({
        id: row.id,
        current: row.id === sessionId,
        ...(row.ip === null ? {} : { ip: row.ip }),
        ...(row.user_agent === null ? {} : { userAgent: row.user_agent }),
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      }));
    },
  );

  app.delete(
    `${prefix}/sessions/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'endSession',
        summary: 'End a session of one’s own',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params.id, 'session');
      const { actor } = principalOf(request);
      const ended = await writing(request, (scope) => endSession(accounts, scope, id, actor.id, 'revoked'));
      if (!ended) throw notFound('session');
      return reply.code(204).send(null);
    },
  );
}

function passwordRoutes(app: App, accounts: Accounts): void {
  app.post(
    `${prefix}/request-password-reset`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Mail a link that sets a new password',
        tags,
        body: schemas.resetRequestBody,
        response: { 200: schemas.message },
      },
    },
    async (request) => {
      const device = { ...deviceOf(request), refreshCookie: accounts.cookie.read(request) };
      await inEvenTime(() => requestReset(accounts, app.database, publicly(request), request.body, device, app.clock()));
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
        summary: 'Set a new password with the mailed link’s token',
        tags,
        body: schemas.resetBody,
        response: { 200: schemas.message },
      },
    },
    async (request, reply) => {
      const holder = await resetPassword(accounts, app.database, publicly(request), request.body);
      accounts.pass.give(reply, holder, app.clock());
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
        summary: 'Change the password; every other session ends',
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

function profileRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/profile`,
    {
      config: { access: { kind: 'user', scope: 'profile:read' } },
      schema: { operationId: 'getProfile', summary: 'Who one is', tags, response: { 200: schemas.profile } },
    },
    (request) => getProfile(reading(request), principalOf(request).actor.id),
  );

  app.put(
    `${prefix}/profile`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' } },
      bodyLimit,
      schema: {
        operationId: 'updateProfile',
        summary: 'Change one’s profile',
        tags,
        body: schemas.profileBody,
        response: { 200: schemas.updatedProfile },
      },
    },
    async (request, reply) => {
      linkSelf(reply, request, `${prefix}/profile`);
      const { actor, sessionId } = principalOf(request);
      return writing(request, async (scope) => {
        const before = await getProfile(scope, actor.id);
        const newEmail = request.body.email;
        const moves = newEmail !== undefined && newEmail !== before.email;
        if (moves) await requestEmailChange(accounts, scope, sessionId, newEmail);
        const { id, email, firstName, lastName } = await updateProfile(scope, actor.id, request.body);
        const message = moves
          ? 'The profile was changed. A code was mailed to the new address: it counts once the code is confirmed.'
          : 'The profile was changed.';
        return { id, email, firstName, lastName, message };
      });
    },
  );

  app.get(
    `${prefix}/profile/notifications`,
    {
      config: { access: { kind: 'user', scope: 'profile:read' } },
      schema: {
        operationId: 'getNotificationSettings',
        summary: 'What one is told of by mail, and when',
        tags,
        response: { 200: schemas.notifications },
      },
    },
    (request) => getNotifications(reading(request), principalOf(request).actor.id),
  );

  app.put(
    `${prefix}/profile/notifications`,
    {
      config: { access: { kind: 'user', scope: 'profile:write' } },
      bodyLimit,
      schema: {
        operationId: 'updateNotificationSettings',
        summary: 'Choose what one is told of by mail, and when',
        tags,
        body: schemas.notifications,
        response: { 200: schemas.notifications },
      },
    },
    (request) => writing(request, (scope) => updateNotifications(scope, principalOf(request).actor.id, request.body)),
  );
}
