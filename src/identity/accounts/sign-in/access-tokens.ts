import { createHash } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { type KeyRing, tokenSigner } from '#keys';
import type { Database } from '../../../platform/database/database.ts';
import { type Proof, proofBy } from '../../../platform/database/credential-check.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { longestTokenSeconds } from '../../../platform/lifetimes.ts';
import type { Principal } from '../../../platform/scope.ts';
import { liveSession, proveSession } from './credential-queries.ts';
import { isRole, type Role, scopesOfRole } from '../roles.ts';

const skewSeconds = 5;
const userAudience = 'user-api';
/** The `client_id` of direct sign-ins by people and staff. RFC 9068 section 2.2 requires it. No program and no API client has this name. */
export const ownClient = 'chancery';
/** The MCP server as a resource of its own (RFC 8707), by the service’s public address: its tokens open nothing else. */
export const mcpResource = (issuer: string): string => `${issuer}/mcp`;
/** Whether a token is asked for the MCP server: scheme and host may be written in capitals (RFC 3986 §6.2.2.1), and nothing else otherwise. */
export function isMcpResource(issuer: string, resource: string | undefined): boolean {
  if (resource === undefined || resource.length > 2_000) return false;
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(resource) ?? [];
  return `${origin.toLowerCase()}${rest}` === mcpResource(issuer);
}
/** How long a verified token is believed without asking the database, while this process hears of revocations. */
const trustedForMs = 60_000;
/** What is said of a whole team, as the database says it too. */
const teamPrefix = 'team ';

export type TokenSubject = {
  accountId: string;
  team: string;
  role: Role;
  sessionId: string;
  authTime: Date;
  amr: readonly string[];
  acr: string;
  /** The program that holds the session for the person, and what it may do: its token opens the MCP server alone. */
  connectedApp?: { id: string; scopes: readonly string[] };
};

/** What tokens are good for: the operations of the API, or the MCP server alone. */
export type TokenUse = 'api' | 'mcp';

/** An API client, with the secret it has shown. `seconds` is how long its token lives, at most {@link AccessTokens.seconds}. */
export type ClientSubject = {
  clientId: string;
  team: string;
  secretId: string;
  scopes: readonly string[];
  seconds: number;
  use: TokenUse;
};

/** What a token of this service says of itself. `sid` is a person's session, or the secret that a client has shown. */
export type TokenClaims = {
  /** The key that signed it. */
  kid: string;
  sub: string;
  sid: string;
  team: string;
  jti: string;
  /** Who takes it, as the token says, and what that is good for. */
  aud: string;
  use: TokenUse;
  scope: string;
  iat: number;
  exp: number;
  /** Present when it was issued to an API client, who is its subject too, or to a program that a person lets act for them. */
  clientId: string | undefined;
};

/** What is true of a client now: its scopes may have become fewer since its token was issued. `until` is Unix ms. */
export type LiveClient = {
  clientId: string;
  team: string;
  scopes: readonly string[];
  /** The folders it is confined to, if it is. */
  folderIds?: readonly string[];
  until: number;
  /** Proves, inside a transaction, that the token is still good for these scopes. */
  proof(scopes: readonly string[]): Proof;
};

export type AccessTokens = {
  /** How long an access token is good. */
  readonly seconds: number;
  /** Signs an access token (RFC 9068) without personal data. */
  issue(subject: TokenSubject): Promise<string>;
  /** The same for an API client: `sub` is `client_id`, and there is no role. */
  issueForClient(subject: ClientSubject): Promise<string>;
  /** Who a token belongs to that was issued for this use, or nothing. */
  verify(token: string, use?: TokenUse): Promise<Principal | undefined> | Principal | undefined;
  /** What a token says, when this service signed it and it has not ended; whether it was revoked is not asked. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** Forgets what is believed of a session, a client's secret, a team (`team <id>`) or of all (`*`): the next request asks the database. */
  forget(subject: string): void;
};

type Verified = { principal: Principal; until: number; kid: string; use: TokenUse };

type Options = {
  database: Database;
  keys: KeyRing;
  issuer: string;
  receivesRevocations: () => boolean;
  /** Asks whether a client's token is good now. */
  liveClient: (claims: TokenClaims) => Promise<LiveClient | undefined>;
  /** How long tokens are good, in seconds; by default as long as they may be. */
  seconds?: number;
  /** How many verified tokens are remembered. */
  remembered?: number;
};

/**
 * Issues and verifies access tokens. A verified token is remembered by its hash, never past its end; a revocation drops
 * it at once on this node and, by notification, on the others. While `hearsRevocations` is false nothing is believed
 * from memory.
 */
export const createAccessTokens = (options: Options): AccessTokens => new SignedTokens(options);

/** Verified tokens by their hashes, with the principal of each. */
class RememberedTokens {
  /** How many revocations came so far. */
  revocations = 0;
  /** The remembered tokens of each session: those and no others, or a revocation would miss one. */
  readonly #ofSession = new Map<string, Set<string>>();
  readonly #known: LRUCache<string, Verified>;

  constructor(max: number) {
    this.#known = new LRUCache({
      max,
      dispose: ({ principal: { sessionId } }, hash) => {
        const tokens = this.#ofSession.get(sessionId);
        tokens?.delete(hash);
        if (tokens?.size === 0) this.#ofSession.delete(sessionId);
      },
    });
  }

  get(hash: string): Verified | undefined {
    return this.#known.get(hash);
  }

  set(hash: string, verified: Verified): void {
    this.#known.set(hash, verified);
    const { sessionId } = verified.principal;
    const tokens = this.#ofSession.get(sessionId) ?? new Set();
    this.#ofSession.set(sessionId, tokens.add(hash));
  }

  /** See {@link AccessTokens.forget}. */
  forget(subject: string): void {
    this.revocations += 1;
    if (subject === '*') this.#known.clear();
    else if (subject.startsWith(teamPrefix)) this.#forgetTeam(subject.slice(teamPrefix.length));
    else for (const hash of this.#ofSession.get(subject) ?? []) this.#known.delete(hash);
  }

  #forgetTeam(team: string): void {
    const ended = [...this.#known.entries()].filter(([, { principal }]) => principal.team === team);
    for (const [hash] of ended) this.#known.delete(hash);
  }
}

class SignedTokens implements AccessTokens {
  readonly seconds: number;
  readonly #options: Options;
  readonly #keys: KeyRing;
  readonly #audiences: Record<TokenUse, string>;
  readonly #remembered: RememberedTokens;
  readonly #signToken: ReturnType<typeof tokenSigner>;

  constructor(options: Options) {
    const { keys, issuer, seconds = longestTokenSeconds, remembered = 20_000 } = options;
    this.seconds = seconds;
    this.#options = options;
    this.#keys = keys;
    this.#audiences = { api: userAudience, mcp: mcpResource(issuer) };
    this.#remembered = new RememberedTokens(remembered);
    this.#signToken = tokenSigner(keys);
  }

  issue({ accountId, team, role, sessionId, authTime, amr, acr, connectedApp }: TokenSubject): Promise<string> {
    const own = {
      sid: sessionId,
      team,
      role,
      client_id: connectedApp?.id ?? ownClient,
      scope: (connectedApp?.scopes ?? scopesOfRole(role)).join(' '),
      auth_time: Math.floor(authTime.getTime() / 1000),
      amr: [...amr],
      acr,
    };
    return this.#sign(own, accountId, this.seconds, connectedApp === undefined ? 'api' : 'mcp');
  }

  issueForClient({ clientId, team, secretId, scopes, seconds, use }: ClientSubject): Promise<string> {
    return this.#sign({ client_id: clientId, sid: secretId, team, scope: scopes.join(' ') }, clientId, seconds, use);
  }

  verify(token: string, use: TokenUse = 'api'): Promise<Principal | undefined> | Principal | undefined {
    const hash = createHash('sha256').update(token).digest('base64url');
    const remembered = this.#remembered.get(hash);
    // A key that was taken out of use takes with it what was found good by it.
    const isGood = remembered && remembered.until > this.#keys.now() && this.#keys.verifier('access', remembered.kid);
    if (isGood && this.#options.receivesRevocations()) return forUse(remembered, use);
    return this.#verifyFresh(token, hash).then((verified) => forUse(verified, use));
  }

  async read(token: string): Promise<TokenClaims | undefined> {
    const kid = keyIdOf(token);
    const key = kid === undefined ? undefined : await this.#keys.find('access', kid);
    if (kid === undefined || !key) return undefined;
    try {
      const { payload } = await jwtVerify(token, key.key, {
        algorithms: [key.alg],
        typ: 'at+jwt',
        issuer: this.#options.issuer,
        audience: Object.values(this.#audiences),
        currentDate: new Date(this.#keys.now()),
        clockTolerance: skewSeconds,
        requiredClaims: ['sub', 'sid', 'team', 'exp', 'nbf', 'iat', 'jti'],
      });
      return claimsOf(payload, kid, payload.aud === this.#audiences.mcp ? 'mcp' : 'api');
    } catch {
      // Every invalid token gets the same answer.
      return undefined;
    }
  }

  forget(subject: string): void {
    this.#remembered.forget(subject);
  }

  #sign(own: object, subject: string, seconds: number, use: TokenUse): Promise<string> {
    const { issuer } = this.#options;
    return this.#signToken(own, { issuer, audience: this.#audiences[use], subject, seconds: Math.min(seconds, this.seconds) });
  }

  async #verifyFresh(token: string, hash: string): Promise<Verified | undefined> {
    const before = this.#remembered.revocations;
    const claims = await this.read(token);
    if (!claims) return undefined;
    const verified = await (claims.clientId === claims.sub ? this.#clientOf(claims) : this.#personOf(claims));
    if (!verified) return undefined;
    // A revocation heard in between may be of this very session: do not remember what was read before it.
    if (before === this.#remembered.revocations && this.#options.receivesRevocations()) this.#remembered.set(hash, verified);
    return verified;
  }

  async #personOf({ kid, sub, sid, team, exp, use, clientId }: TokenClaims): Promise<Verified | undefined> {
    const session = await this.#options.database.publicReader.first(liveSession, { session: sid });
    if (!session || session.account_id !== sub || session.team_id !== team || !isRole(session.role)) return undefined;
    const { program_id: connectedApp, program_scopes: allowed } = session;
    // What a program holds opens the MCP server and nothing else, and what a person holds everything but that.
    if ((connectedApp ?? undefined) !== clientId || (allowed === null) !== (use === 'api')) return undefined;
    const scopes = new Set(scopesOfRole(session.role).filter((scope) => allowed?.includes(scope) ?? true));
    return {
      kid,
      use,
      until: Math.min(this.#keys.now() + trustedForMs, exp * 1000),
      principal: {
        actor: { type: 'user', id: session.account_id, role: session.role, ...(allowed === null ? {} : { scopes }) },
        team: session.team_id,
        // The role of now, not of when the token was made: a lowered role counts at once.
        role: session.role,
        scopes,
        sessionId: sid,
        authTime: Math.floor(Date.parse(session.auth_time) / 1000),
        acr: session.acr,
        expiresAt: exp,
        proof: proofBy(proveSession, { team, account: session.account_id, session: sid, role: session.role }),
      },
    };
  }

  async #clientOf(claims: TokenClaims): Promise<Verified | undefined> {
    const { sub, sid, team, exp, clientId } = claims;
    const client = sub === clientId ? await this.#options.liveClient(claims) : undefined;
    if (!client || client.clientId !== clientId || client.team !== team) return undefined;
    const granted = claims.scope.split(' ');
    // What the token was asked for, as far as the client may still do it.
    const scopes = client.scopes.filter((scope) => granted.includes(scope));
    const effective = new Set(scopes);
    const { folderIds } = client;
    return {
      kid: claims.kid,
      use: claims.use,
      until: Math.min(this.#keys.now() + trustedForMs, exp * 1000, client.until),
      principal: {
        actor: { type: 'client', id: client.clientId, scopes: effective, ...(folderIds === undefined ? {} : { folderIds }) },
        team: client.team,
        role: undefined,
        scopes: effective,
        sessionId: sid,
        // A client is no person: it never proved who it is in the sense of a step-up.
        authTime: 0,
        acr: 'none',
        expiresAt: exp,
        proof: client.proof(scopes),
      },
    };
  }
}

const forUse = (verified: Verified | undefined, use: TokenUse) => (verified?.use === use ? verified.principal : undefined);

/** The key a token names, when it could be one of ours. */
function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' && isUuid(kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

function claimsOf(
  { sub, sid, team, jti, aud, scope, iat, exp, client_id: clientId }: JWTPayload,
  kid: string,
  use: TokenUse,
): TokenClaims | undefined {
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sid) || typeof team !== 'string') return undefined;
  if (typeof jti !== 'string' || !isUuid(jti) || typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  // One for several audiences is none of ours.
  if (typeof aud !== 'string') return undefined;
  if (typeof scope !== 'string' || (clientId !== undefined && typeof clientId !== 'string')) return undefined;
  return { kid, sub, sid, team, jti, aud, use, scope, iat, exp, clientId: clientId === ownClient ? undefined : clientId };
}
