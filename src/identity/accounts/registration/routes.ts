import { Type } from 'typebox';
import { createChallenge } from '../../../platform/crypto/altcha.ts';
import { withMinimumDuration, withMinimumErrorDuration } from '../../../platform/http/minimum-duration.ts';
import type { App } from '../../../platform/http/server.ts';
import { inWords } from '../../../platform/lifetimes.ts';
import { preferredLanguage } from '../../../platform/mail/compose.ts';
import type { Accounts } from '../context.ts';
import { bodyLimit, deviceOf, open, prefix, publicly, tags } from '../request-context.ts';
import { registrationCookie, setRegistrationCookie } from './cookies.ts';
import { register, resendVerification } from './register.ts';
import { verifyEmail } from './verify-email.ts';
import * as schemas from '../schemas.ts';

export function registrationRoutes(app: App, accounts: Accounts): void {
  app.get(
    `${prefix}/altcha`,
    {
      config: open,
      schema: {
        operationId: 'getAltchaChallenge',
        summary: 'Get a proof-of-work challenge',
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
        summary: 'Register an account',
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
        summary: 'Confirm the address',
        tags,
        body: schemas.verifyBody,
        response: { 200: schemas.signedIn },
      },
    },
    async (request, reply) => {
      const device = { ...deviceOf(request), registered: registrationCookie(accounts, request) };
      const { invitationWaits, ...verified } = await withMinimumErrorDuration(() =>
        verifyEmail(accounts, app.database, publicly(request), request.body, device),
      );
      // The contract has no member for it, so a header links to the invitation.
      if (invitationWaits)
        reply.header('link', `<${app.baseUrl}/api/v1/team/invitations/received>; rel="related"; title="Pending invitation"`);
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
        summary: 'Resend the confirmation code',
        tags,
        body: schemas.emailBody,
        response: { 200: schemas.message },
      },
    },
    async (request) => {
      const device = { ...deviceOf(request), registered: registrationCookie(accounts, request) };
      await withMinimumDuration(() => resendVerification(accounts, app.database, request.body.email, device));
      return { message: 'If the address awaits confirmation, a new code was mailed to it.' };
    },
  );
}
