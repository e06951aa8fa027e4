import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBlock, clientIp } from '../../../platform/http/client-ip.ts';
import { withIdempotency } from '../../../platform/http/idempotency.ts';
import { writingPublic } from '../../../platform/http/scope.ts';
import { exceededQuota, quotaProblems } from '../../../platform/limits/quotas.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { PublicScope } from '../../../platform/scope.ts';
import { enterByLink, type Link } from '../visitor.ts';
import type { Submitting } from './context.ts';
import * as queries from './queries.ts';
import type { Visit } from './visit.ts';
import { findSession, newSession } from './sessions.ts';

/** The session cookie, and the header for callers without cookies. */
const cookieName = 'submission';
const header = 'x-submission-session';

export function sessionToken({ headers, cookies }: FastifyRequest): string | undefined {
  const given = headers[header];
  return typeof given === 'string' ? given : cookies[cookieName];
}

/** Returns the cookie paths of a session: the operations of the link, and its pages. */
function pathsOf(baseUrl: string, { channel, token }: Link): string[] {
  const below = new URL(baseUrl).pathname.replace(/\/$/, '');
  return [`${below}/api/v1/interfaces/${channel}/${token}`, `${below}/f/${token}`];
}

/**
 * Sends the session as cookies for the page and the operations of the link, and as a header for callers without cookies. The cookies expire when the
 * browser closes, and the session after a day.
 */
export function showSession(reply: FastifyReply, baseUrl: string, link: Link, token: string | undefined): void {
  if (token === undefined) return;
  const shared = { httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const;
  for (const path of pathsOf(baseUrl, link)) reply.setCookie(cookieName, token, { ...shared, path });
  reply.header(header, token);
}

/** Ends a session in the service and in the browser. */
export async function endVisit(
  { teamOf }: Pick<Submitting, 'teamOf'>,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
): Promise<void> {
  const act = async ({ db, now, requestId, listeners }: PublicScope) => {
    const { scope, visited } = await enterByLink({ db, now, requestId, listeners }, link, newSession().id);
    const id = await findSession(scope, visited, sessionToken(request));
    if (id !== undefined) scope.db.send(queries.endSession, { team: scope.team, id, at: now });
  };
  await writingPublic(request, act, await teamOf(link));
  for (const path of pathsOf(request.server.baseUrl, link)) reply.clearCookie(cookieName, { path });
}

/**
 * Replaces quota errors for visitors by an error without figures of the team. The team gets the same notification as for its own
 * requests.
 */
async function withoutFigures<T>({ server }: FastifyRequest, work: (entered: (team: string) => void) => Promise<T>): Promise<T> {
  let team: string | undefined;
  try {
    return await work((entered) => (team = entered));
  } catch (error) {
    const over = exceededQuota(error);
    if (!over) throw error;
    if (team !== undefined) server.quotaExceeded(team, over.quota);
    throw quotaProblems.quota_exceeded(
      'This form cannot accept answers now because its owner has no storage left. Nothing was stored. Save your answers elsewhere, and inform the sender of the link.',
    );
  }
}

function spendWrite({ server }: FastifyRequest, team: string): void {
  try {
    server.spendWrite(team);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const wait = error.headers['retry-after'] ?? '1';
    throw problems.rate_limited(
      `Too many visitors are submitting at the moment. Keep your answers and send them again in ${wait} seconds.`,
      {
        headers: { 'retry-after': wait },
      },
    );
  }
}

type Work<T> = (visit: Visit) => Promise<T>;

/** Returns whether a response started the session of a token. A client that repeats a request has that token as a cookie. */
const beganWith = (token: string | undefined) => (answer: unknown) =>
  token !== undefined && (answer as { token?: unknown } | undefined)?.token === token;

/**
 * Runs an action through a link in one transaction of its team, with a visitor as the actor. With an `Idempotency-Key`, the response
 * is stored for the session, or for the link without a session. A stored response is returned before all other checks, also in the
 * session that the first request started. `fingerprint` identifies equal requests; it excludes the proof of work.
 */
export async function visiting<T>(
  request: FastifyRequest,
  { rates, teamOf, perAddress, perMinute }: Submitting,
  { link, fingerprint, counted = false }: { link: Link; fingerprint: unknown; counted?: boolean },
  work: Work<T>,
): Promise<T> {
  if (counted) {
    rates.spend(`${addressBlock(clientIp(request))} ${link.token}`, perAddress, 'This form accepts from your address');
    // Reject early, so that the traffic of one form does not use the database connections of others.
    rates.refuse(link.token);
  }
  const act = async ({ db, now, requestId, listeners }: PublicScope, entering: (team: string) => void) => {
    // The form may promise anonymity, so the permanent journal contains no network address of the visitor.
    const entered = await enterByLink({ db, now, requestId, listeners }, link, newSession().id);
    const { visited } = entered;
    entering(visited.team);
    const session = await findSession(entered.scope, visited, sessionToken(request));
    const visit: Visit = {
      scope: session === undefined ? entered.scope : { ...entered.scope, actor: { type: 'visitor', id: session } },
      visited,
      channel: link.channel,
      session,
    };
    const { responseCipher: cipher } = request.server;
    const before = session === undefined ? undefined : { actorId: visited.linkId, became: beganWith(sessionToken(request)) };
    const common = { request, team: visited.team, cipher, fingerprint: JSON.stringify(fingerprint) };
    const attempt = { ...common, actorId: session ?? visited.linkId, before };
    return withIdempotency(attempt, visit.scope.db, async () => {
      if (counted) {
        rates.spend(visited.id, visited.definition.config.maxPerMinute ?? perMinute, 'This form accepts', { name: link.token });
        spendWrite(request, visited.team);
      }
      return work(visit);
    });
  };
  const team = await teamOf(link);
  return withoutFigures(request, (entering) => writingPublic(request, (scope) => act(scope, entering), team));
}
