import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken, readTeamToken, tokenHash } from '../../../platform/crypto/tokens.ts';
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

/**
 * A visitor of a signing link: the request, the signer and the identification. The network address and the browser are stored only in the evidence.
 */
export type Visit<S extends VisitScope = Scope> = {
  scope: S;
  request: RequestRow;
  signer: SignerRow;
  signers: SignerRow[];
  /** Whether the visitor has entered the emailed code, and whether the visitor is signed in as the member who must sign. */
  coded: boolean;
  signedIn: boolean;
  /** Whether the visitor is signed in with another account, or sends the token of another. */
  isOther: boolean;
  ip: string;
  userAgent: string | undefined;
};

const cookieName = 'signing';
const header = 'x-signing-session';
const sessionMinutes = 30;

const noSuchLink = () => signingProblems.signing_link_not_found('This link is invalid. Check that it is complete, or ask the sender.');

function sessionToken({ headers, cookies }: FastifyRequest): string | undefined {
  const given = headers[header];
  return typeof given === 'string' ? given : cookies[cookieName];
}

/** Sets the session as a cookie for the page and the API operations of the link, and as a header for callers without cookies. */
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
  const key = readTeamToken(token);
  const found = key && (await db.first(signerQueries.signerByLink, key));
  if (!found) throw noSuchLink();
  return { team: key.team, request: found.request_id, signer: found.signer_id };
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
  const signedIn = isMember(http.principal, team, signer);
  return {
    scope,
    request,
    signer,
    signers,
    coded,
    signedIn,
    isOther: !signedIn && http.principal != null,
    ip: clientIp(http),
    userAgent: http.headers['user-agent'],
  };
}

/** Returns the request and signer of a link. Throws the same 404 `signing_link_not_found` for every reason. */
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

/** An action of a visitor by a link. */
export type LinkAction<T> = {
  /** `fingerprint` identifies repeated requests. Responses are stored separately for each `part`. */
  fingerprint: unknown;
  part?: string;
  work: (visit: Visit) => Promise<T>;
  /** Rejects if the visitor may no longer get the response that was stored for an equal request. */
  again: (visit: Visit) => Promise<void> | void;
};

/**
 * Runs an action of a visitor in one transaction. The action is allowed or rejected by the state that the request has while it is locked. With an
 * `Idempotency-Key`, stores the response for the signer. Returns it again only if `again` allows it, because the link and the key alone do not
 * identify the visitor sufficiently.
 */
export function visiting<T>(http: FastifyRequest, token: string, { fingerprint, part, work, again }: LinkAction<T>): Promise<T> {
  return writingPublic(http, async ({ db, now, requestId, listeners }) => {
    const found = await findLink(db, token);
    const { team, request, signer } = found;
    spendAct(http, signer);
    // The journal is permanent, so it contains no network address of the visitor.
    const entered = enterTeam({ db, now, requestId, listeners }, team, actorOf(http.principal, team, signer));
    const attempt = {
      request: http,
      team,
      actorId: signer,
      cipher: http.server.responseCipher,
      fingerprint: JSON.stringify(fingerprint),
      part,
    };
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

/** A member who is signed in to this team acts with their account. Any other visitor acts as the signer. */
const actorOf = (principal: Principal | null | undefined, team: string, signer: string): Actor =>
  principal?.actor.type === 'user' && principal.team === team ? principal.actor : { type: 'visitor', id: signer };
