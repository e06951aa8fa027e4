import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { clientIp } from '../../../platform/http/client-ip.ts';
import { withIdempotency } from '../../../platform/http/idempotency.ts';
import { writingPublic } from '../../../platform/http/scope.ts';
import type { Actor, Principal, ReadScope, Scope } from '../../../platform/scope.ts';
import { enterTeam } from '../../../platform/scope.ts';
import { spendAct } from './link-rate-limit.ts';
import { signingProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import * as signerQueries from './signer-queries.ts';
import type { SignerRow } from './signer-queries.ts';

type VisitScope = { db: Pick<Scope['db'], 'first' | 'all'>; team: string; actor: Actor };

/** Somebody who came by a link: what it leads to, and how the service knows them. The network address and the program go into evidence alone. */
export type Visit<S extends VisitScope = Scope> = {
  scope: S;
  request: RequestRow;
  signer: SignerRow;
  signers: SignerRow[];
  /** Whether they have given the code of their mail, and whether they are signed in as the member who is asked. */
  coded: boolean;
  signedIn: boolean;
  ip: string;
  userAgent: string | undefined;
};

const cookieName = 'signing';
const header = 'x-signing-session';
const sessionMinutes = 30;

const noSuchLink = () => signingProblems.signing_link_not_found('This link leads nowhere. Check that it is whole, or ask whoever sent it.');

function sessionToken({ headers, cookies }: FastifyRequest): string | undefined {
  const given = headers[header];
  return typeof given === 'string' ? given : cookies[cookieName];
}

/** Gives the session to a browser, for the page of the link and for its operations, and to callers without cookies in a header. */
export function showSession(reply: FastifyReply, baseUrl: string, link: string, token: string): void {
  const below = new URL(baseUrl).pathname.replace(/\/$/, '');
  const shared = { httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:'), maxAge: sessionMinutes * 60 } as const;
  for (const path of [`${below}/api/v1/signatures/public/${link}`, `${below}/sign/${link}`])
    reply.setCookie(cookieName, token, { ...shared, path });
  reply.header(header, token);
}

export const sessionEnd = (now: Date): Date => new Date(now.getTime() + sessionMinutes * 60_000);

const isMember = (principal: Principal | null | undefined, team: string, { account_id: account }: SignerRow): boolean =>
  account !== null && principal?.actor.type === 'user' && principal.team === team && principal.actor.id === account;

type SignerLink = { team: string; request: string; signer: string };

async function findLink(db: Pick<Scope['db'], 'first'>, token: string): Promise<SignerLink> {
  const found = isToken(token) ? await db.first(signerQueries.signerByLink, { hash: tokenHash(token) }) : undefined;
  if (!found) throw noSuchLink();
  return { team: found.team_id, request: found.request_id, signer: found.signer_id };
}

async function readVisit<S extends VisitScope>(
  http: FastifyRequest,
  scope: S,
  { team, request: id, signer: signerId }: SignerLink,
  at: Date,
): Promise<Visit<S>> {
  const { db } = scope;
  const request = await db.first(queries.findRequest, { team, id });
  const signers = await db.all(signerQueries.signersOf, { team, request: id });
  const signer = signers.find((one) => one.id === signerId);
  if (!request || !signer) throw noSuchLink();
  const session = sessionToken(http);
  const coded =
    session !== undefined && isToken(session)
      ? (await db.first(signerQueries.findSession, { team, signer: signerId, hash: tokenHash(session), at })) !== undefined
      : false;
  return {
    scope,
    request,
    signer,
    signers,
    coded,
    signedIn: isMember(http.principal, team, signer),
    ip: clientIp(http),
    userAgent: http.headers['user-agent'],
  };
}

/** What a link leads to. Errors: 404 `signing_link_not_found`, whatever the reason. */
export async function visit(http: FastifyRequest, token: string): Promise<Visit<ReadScope>> {
  const { database, clock } = http.server;
  const found = await findLink(database.publicReader, token);
  const scope: ReadScope = {
    db: database.reader(found.team),
    team: found.team,
    actor: { type: 'visitor', id: found.signer },
    now: clock(),
    requestId: http.id,
  };
  return readVisit(http, scope, found, scope.now);
}

/** What somebody does by a link. */
export type LinkAction<T> = {
  /** What makes a request the same one; `part` makes it one with an answer of its own. */
  fingerprint: unknown;
  part?: string;
  work: (visit: Visit) => Promise<T>;
  /** Whether who came may be given the kept answer to the same request: rejects where they may not come any more. */
  again: (visit: Visit) => Promise<void> | void;
};

/**
 * Runs what somebody does by a link, in one transaction of its team under the lock of the request: what it is by then decides. With an
 * `Idempotency-Key` the answer is kept for the signer, and given again where `again` lets them: the link and a key alone prove less than
 * the act took.
 */
export function visiting<T>(http: FastifyRequest, token: string, { fingerprint, part, work, again }: LinkAction<T>): Promise<T> {
  return writingPublic(http, async ({ db, now, requestId, listeners }) => {
    const found = await findLink(db, token);
    const { team, request, signer } = found;
    spendAct(http, signer);
    // The journal, which forgets nothing, has no address of theirs.
    const entered = enterTeam({ db, now, requestId, listeners }, team, actorOf(http.principal, team, signer));
    const attempt = { request: http, team, actorId: signer, answers: http.server.answers, fingerprint: JSON.stringify(fingerprint), part };
    const visited = () => db.locked(queries.lockRequest, { team, id: request }, () => readVisit(http, entered, found, now));
    const answer = await withIdempotency(attempt, db, async () => {
      http.server.spendWrite(team);
      return work(await visited());
    });
    if (http.idempotencyReplayed) {
      http.idempotencyReplayed = false;
      await again(await visited());
      http.idempotencyReplayed = true;
    }
    return answer;
  });
}

/** Who is signed in to this team acts as themself, everybody else as who was asked. */
const actorOf = (principal: Principal | null | undefined, team: string, signer: string): Actor =>
  principal?.actor.type === 'user' && principal.team === team ? principal.actor : { type: 'visitor', id: signer };
