import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import { preferredLanguage } from '../../platform/mail/compose.ts';
import { Problem } from '../../platform/problems.ts';
import type { RunUnauthenticated } from '../../platform/scope.ts';
import type { Begun } from './browser-state.ts';
import type { Sso } from './context.ts';
import { landing, type SsoDevice, type SsoOutcome } from './sign-in.ts';

export const inPublic =
  (request: FastifyRequest): RunUnauthenticated =>
  (work) =>
    writingPublic(request, work);

/**
 * Completes a sign-in and redirects the browser to its page with the result. The browser comes from a page, so the page receives an error in the
 * redirect instead of a JSON response.
 */
export async function returnTo(
  sso: Sso,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: Begun,
  complete: (device: SsoDevice) => Promise<SsoOutcome>,
): Promise<never> {
  const device = {
    ip: clientIp(request),
    userAgent: request.headers['user-agent'],
    language: preferredLanguage(request.headers['accept-language']),
  };
  try {
    const outcome = await complete(device);
    if (outcome !== 'linked' && 'refreshToken' in outcome) sso.accounts.cookie.set(reply, outcome.refreshToken);
    return reply.redirect(landing(begun, outcome), 302) as never;
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure;
    return reply.redirect(landing(begun, failure), 302) as never;
  }
}
