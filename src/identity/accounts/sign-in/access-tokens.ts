import { createHash } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { type KeyRing, tokenSigner } from '#keys';
import type { Database } from '../../../platform/database/database.ts';
import { type Proof, credentialCheck } from '../../../platform/database/credential-check.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { longestTokenSeconds } from '../../../platform/lifetimes.ts';
import type { Principal } from '../../../platform/scope.ts';
import { liveSession, checkSession } from './credential-queries.ts';
import { isRole, type Role, scopesOfRole } from '../roles.ts';

const skewSeconds = 5;
const userAudience = 'user-api';
/** The `client_id` of direct sign-ins by users and staff, which RFC 9068 section 2.2 requires. No connected app or API client has this name. */
export const ownClient = 'chancery';
/** The MCP server as a separate resource (RFC 8707), by the service’s public address. Its tokens work nowhere else. */
export const mcpResource = (issuer: string): string => `${issuer}/mcp`;
/** Whether a token is requested for the MCP server. Scheme and host are compared without regard to case (RFC 3986 §6.2.2.1). */
export function isMcpResource(issuer: string, resource: string | undefined): boolean {
  if (resource === undefined || resource.length > 2_000) return false;
  const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(resource) ?? [];
  return `${origin.toLowerCase()}${rest}` === mcpResource(issuer);
}
/** How long a verified token is cached without a database read, while this process receives revocations. */
const trustedForMs = 60_000;
/** Prefix of revocations of a whole team, as the database sends it. */
const teamPrefix = 'team ';

export type TokenSubject = {
  accountId: string;
  team: string;
  role: Role;
  sessionId: string;
  authTime: Date;
  amr: readonly string[];
  acr: string;
  /** The connected app that owns the session, with its scopes. Its token works only at the MCP server. */
  connectedApp?: { id: string; scopes: readonly string[] };
};

/** The use of a token: the operations of the API, or only the MCP server. */
export type TokenUse = 'api' | 'mcp';

/** An API client with its verified secret. `seconds` is the lifetime of its token, at most {@link AccessTokens.seconds}. */
export type ClientSubject = {
  clientId: string;
  team: string;
  secretId: string;
  scopes: readonly string[];
  seconds: number;
  use: TokenUse;
};

/** The claims of a token of this service. `sid` is the session of a user, or the verified secret of a client. */
export type TokenClaims = {
  /** The key that signed it. */
  kid: string;
  sub: string;
  sid: string;
  team: string;
  jti: string;
  /** The audience of the token, and the use that follows from it. */
  aud: string;
  use: TokenUse;
  scope: string;
  iat: number;
  exp: number;
  /** The API client, which is also the subject, or the connected app of a user. Otherwise undefined. */
  clientId: string | undefined;
};

/** The current state of a client. Its scopes may have been reduced since the token was issued. `until` is in Unix ms. */
export type LiveClient = {
  clientId: string;
  team: string;
  scopes: readonly string[];
  /** The folders that confine it, if any. */
  folderIds?: readonly string[];
  until: number;
  /** Returns a statement that checks in the transaction of an action whether the token is still valid with these scopes. */
  proof(scopes: readonly string[]): Proof;
};

export type AccessTokens = {
  /** Lifetime of an access token in seconds. */
  readonly seconds: number;
  /** Signs an access token (RFC 9068) without personal data. */
  issue(subject: TokenSubject): Promise<string>;
  /** Signs an access token for an API client: `sub` is `client_id`, and it has no role. */
  issueForClient(subject: ClientSubject): Promise<string>;
  /** Returns the principal of a valid token for this use, or undefined. */
  verify(token: string, use?: TokenUse): Promise<Principal | undefined> | Principal | undefined;
  /** Returns the claims of an unexpired token of this service, without a check for revocation. */
  read(token: string): Promise<TokenClaims | undefined>;
  /** Removes a session, a client’s secret, a team (`team <id>`) or all (`*`) from the cache: the next request reads the database. */
  forget(subject: string): void;
};

type Verified = { principal: Principal; until: number; kid: string; use: TokenUse };

type AccessTokenOptions = {
  database: Database;
  keys: KeyRing;
  issuer: string;
  receivesRevocations: () => boolean;
  /** Looks up whether a client’s token is valid now. */
  liveClient: (claims: TokenClaims) => Promise<LiveClient | undefined>;
  /** Lifetime of tokens in seconds; by default the maximum. */
  seconds?: number;
  /** Maximum number of cached tokens. */
  remembered?: number;
};

/**
 * Issues and verifies access tokens. A verified token is cached by its hash, at most until its expiry. A revocation removes
 * it at once on this node, and on other nodes by notification. While `receivesRevocations` is false, the cache is not used.
 */
export const createAccessTokens = (options: AccessTokenOptions): AccessTokens => new SignedTokens(options);

/** Cached tokens by their hashes, with the principal of each. */
class RememberedTokens {
  /** Number of received revocations. */
  revocations = 0;
  /** The cached tokens of each session. This index must match the cache exactly, or a revocation would miss a token. */
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
  readonly #options: AccessTokenOptions;
  readonly #keys: KeyRing;
  readonly #audiences: Record<TokenUse, string>;
  readonly #remembered: RememberedTokens;
  readonly #signToken: ReturnType<typeof tokenSigner>;

  constructor(options: AccessTokenOptions) {
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
    // A removed key also invalidates the tokens that it verified.
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
      // All invalid tokens have the same result.
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
    // A revocation received during the read may concern this session, so the result is not cached.
    if (before === this.#remembered.revocations && this.#options.receivesRevocations()) this.#remembered.set(hash, verified);
    return verified;
  }

  async #personOf({ kid, sub, sid, team, exp, use, clientId }: TokenClaims): Promise<Verified | undefined> {
    const session = await this.#options.database.publicReader.first(liveSession, { session: sid, team });
    if (!session || session.account_id !== sub || !isRole(session.role)) return undefined;
    const { app_id: connectedApp, app_scopes: allowed } = session;
    // Tokens of connected apps work only at the MCP server, and tokens of users only elsewhere.
    if ((connectedApp ?? undefined) !== clientId || (allowed === null) !== (use === 'api')) return undefined;
    const { lacks_second_factor: lacksSecondFactor } = session;
    const scopes = new Set(
      scopesOfRole(session.role).filter(
        (scope) => (allowed?.includes(scope) ?? true) && (!lacksSecondFactor || scope.startsWith('profile:')),
      ),
    );
    return {
      kid,
      use,
      // The membership of a guest ends by the time of the database.
      until: Math.min(this.#keys.now() + Math.min(trustedForMs, (session.ends_in ?? Infinity) * 1000), exp * 1000),
      principal: {
        actor: { type: 'user', id: session.account_id, role: session.role, ...(allowed === null ? {} : { scopes }) },
        team,
        // The current role, not the one at issue: a lowered role applies at once.
        role: session.role,
        scopes,
        sessionId: sid,
        authTime: Math.floor(Date.parse(session.auth_time) / 1000),
        acr: session.acr,
        ...(lacksSecondFactor ? { lacksSecondFactor } : {}),
        expiresAt: exp,
        proof: credentialCheck(checkSession, { team, account: session.account_id, session: sid, role: session.role }),
      },
    };
  }

  async #clientOf(claims: TokenClaims): Promise<Verified | undefined> {
    const { sub, sid, team, exp, clientId } = claims;
    const client = sub === clientId ? await this.#options.liveClient(claims) : undefined;
    if (!client || client.clientId !== clientId || client.team !== team) return undefined;
    const granted = claims.scope.split(' ');
    // The granted scopes that the client still has.
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
        // A client has never authenticated as a user, so no step-up is possible.
        authTime: 0,
        acr: 'none',
        expiresAt: exp,
        proof: client.proof(scopes),
      },
    };
  }
}

const forUse = (verified: Verified | undefined, use: TokenUse) => (verified?.use === use ? verified.principal : undefined);

/** Returns the key id of a token, if it can be one of this service. */
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
  if (typeof sub !== 'string' || typeof sid !== 'string' || !isUuid(sid) || typeof team !== 'string' || !isUuid(team)) return undefined;
  if (typeof jti !== 'string' || !isUuid(jti) || typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  // A token with several audiences is not from this service.
  if (typeof aud !== 'string') return undefined;
  if (typeof scope !== 'string' || (clientId !== undefined && typeof clientId !== 'string')) return undefined;
  return { kid, sub, sid, team, jti, aud, use, scope, iat, exp, clientId: clientId === ownClient ? undefined : clientId };
}
