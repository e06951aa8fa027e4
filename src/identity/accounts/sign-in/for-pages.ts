import type { FastifyReply, FastifyRequest } from 'fastify';
import { readRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { withMinimumDuration } from '../../../platform/http/minimum-duration.ts';
import { createRefreshCookie } from '../../../platform/http/refresh-cookie.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Principal } from '../../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { issuingTeam } from '../membership/team-queries.ts';
import { requestReset } from '../passwords/reset.ts';
import { accountById } from '../queries.ts';
import { contextOf, deviceOf, publicly } from '../request-context.ts';
import { type Challenge, verifyTotp } from '../two-factor/sign-in.ts';
import { login } from './login.ts';
import type { SignedIn } from './open-session.ts';
import { logout, refresh } from './refresh.ts';

/**
 * The session of a user on the server’s own pages. The refresh cookie stores it, as for the API. A second cookie stores the access token, so that a
 * page view rotates no refresh token. Both cookies are `SameSite=Strict`. Each function rejects with the errors of its operation.
 */
export type SignInForPages = {
  /** Whether the browser sends a session cookie, valid or not. */
  hasCookie(request: FastifyRequest): boolean;
  /** Sets `request.principal` to the user of the session. Renews the session if the access token has expired. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined>;
  /** Returns the email address of `request.principal` and the name of the team. */
  about(request: FastifyRequest): Promise<{ email: string; teamName: string }>;
  /** Signs in with a password. Returns the challenge if the account has a second factor. */
  signIn(request: FastifyRequest, reply: FastifyReply, given: { email: string; password: string }): Promise<Challenge | undefined>;
  /** Completes a sign-in with a code of the authenticator app, or a backup code. */
  verifyCode(request: FastifyRequest, reply: FastifyReply, given: { challengeId: string; code: string }): Promise<void>;
  /** Whether a reset of the password needs a proof of work. */
  resetNeedsProof: boolean;
  /** Mails a link that sets a new password if the address has an account. The response time does not reveal this. */
  requestReset(request: FastifyRequest, given: { email: string; altcha?: string }): Promise<void>;
  /** Ends the session of `request.principal`, and removes the cookies. */
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

export const signInForPages = (accounts: Accounts): SignInForPages => new PageSessions(accounts);

class PageSessions implements SignInForPages {
  readonly resetNeedsProof: boolean;
  readonly #accounts: Accounts;
  readonly #access: ReturnType<typeof createRefreshCookie>;

  constructor(accounts: Accounts) {
    const { tokens, settings } = accounts;
    this.#accounts = accounts;
    this.#access = createRefreshCookie('page_access', tokens.seconds, settings);
    this.resetNeedsProof = settings.altcha === 'on';
  }

  hasCookie(request: FastifyRequest): boolean {
    return this.#accounts.cookie.read(request) !== undefined;
  }

  async identify(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined> {
    const principal = (await this.#known(request)) ?? (await this.#renewed(request, reply));
    request.principal = principal ?? null;
    return principal;
  }

  async about(request: FastifyRequest): Promise<{ email: string; teamName: string }> {
    const { db, team, actor } = reading(request);
    const person = actor.type === 'user' ? await db.first(accountById, { team, id: actor.id }) : undefined;
    const issuer = await db.first(issuingTeam, { team });
    return { email: person?.email ?? '', teamName: issuer?.name ?? '' };
  }

  async signIn(request: FastifyRequest, reply: FastifyReply, given: { email: string; password: string }): Promise<Challenge | undefined> {
    const device = { ...deviceOf(request), refreshCookie: this.#accounts.cookie.read(request), pass: this.#accounts.pass.read(request) };
    const answer = await login(this.#accounts, request.server.database, contextOf(request), given, device);
    if ('challengeId' in answer) return answer;
    this.#keep(reply, answer);
    return undefined;
  }

  async verifyCode(request: FastifyRequest, reply: FastifyReply, given: { challengeId: string; code: string }): Promise<void> {
    const { database, clock } = request.server;
    this.#keep(reply, await verifyTotp(this.#accounts, database, publicly(request), given, deviceOf(request), clock()));
  }

  requestReset(request: FastifyRequest, given: { email: string; altcha?: string }): Promise<void> {
    const { database, clock } = request.server;
    const device = { ...deviceOf(request), refreshCookie: this.#accounts.cookie.read(request) };
    return withMinimumDuration(() => requestReset(this.#accounts, database, publicly(request), given, device, clock()));
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { principal } = request;
    if (principal)
      await writing(request, (scope) =>
        logout(this.#accounts, scope, principal.sessionId, principal.actor.id, this.#accounts.cookie.read(request)),
      );
    this.#clear(reply);
  }

  #keep(reply: FastifyReply, { accessToken, refreshToken }: Pick<SignedIn, 'accessToken' | 'refreshToken'>): void {
    this.#access.set(reply, accessToken);
    this.#accounts.cookie.set(reply, refreshToken);
  }

  #clear(reply: FastifyReply): void {
    this.#access.clear(reply);
    this.#accounts.cookie.clear(reply);
  }

  /** Returns the user of the access token if both cookies belong to one session. They can differ, because the API sets only the refresh cookie. */
  async #known(request: FastifyRequest): Promise<Principal | undefined> {
    const [token, refreshToken] = [this.#access.read(request), this.#accounts.cookie.read(request)];
    if (token === undefined || refreshToken === undefined) return undefined;
    const principal = await this.#accounts.tokens.verify(token);
    return principal?.sessionId === readRefreshToken(this.#accounts.keys.refresh, refreshToken)?.session ? principal : undefined;
  }

  async #renewed(request: FastifyRequest, reply: FastifyReply): Promise<Principal | undefined> {
    const token = this.#accounts.cookie.read(request);
    if (token === undefined) return undefined;
    try {
      const renewal = await refresh(this.#accounts, request.server.database, publicly(request), token);
      this.#keep(reply, renewal);
      return await this.#accounts.tokens.verify(renewal.accessToken);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      // After `refresh_token_superseded` the browser may already have newer cookies from another response.
      if (error.code !== 'refresh_token_superseded') this.#clear(reply);
      return undefined;
    }
  }
}
