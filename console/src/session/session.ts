import { serviceAddress } from '../address.ts';
import { type Claims, claimsOf } from './claims.ts';

export type SessionState =
  | { status: 'starting' }
  | { status: 'signed in'; claims: Claims }
  /** `ended`: the session ended without a sign-out by the person. */
  | { status: 'signed out'; ended: boolean };

/** A message between the tabs of this browser. */
type SessionMessage = { kind: 'token'; token: string } | { kind: 'signed out' };

type CurrentToken = { value: string; claims: Claims; usableUntil: number };

/** Thrown by a request without a session. The page then shows the sign-in. */
export class SignedOutError extends Error {}

const operations = `${serviceAddress}/api/v1/security/auth`;
/** Time before the expiry of a token at which the console renews it. */
const renewalMarginMs = 30_000;
/** Time for the message with a new token to reach the other tabs before one of them may renew. */
const broadcastMs = 50;
/** The team of this tab, for a reload. It is no secret. */
const teamKey = 'team';

/**
 * The session of this tab. The access token is only in memory. The refresh token is in a cookie that scripts cannot read. One tab at a time renews the
 * token, and the other tabs of the same team get it by message.
 */
class Session {
  #state: SessionState = { status: 'starting' };
  #token: CurrentToken | undefined;
  #renewal: Promise<string> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #channel = new BroadcastChannel('chancery-session');

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => this.#hear(data));
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` after each change of the state. Returns a function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Finds out whether the browser has a session. */
  async start(): Promise<void> {
    await this.accessToken().catch((error: unknown) => {
      if (!(error instanceof SignedOutError)) throw error;
    });
  }

  /** Returns an access token that is valid for a while. Rejects with {@link SignedOutError} if the session ended. */
  async accessToken(): Promise<string> {
    if (this.#token && this.#token.usableUntil > performance.now()) return this.#token.value;
    if (this.#state.status === 'signed out') throw new SignedOutError();
    this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  /** Discards a token that the service rejected, unless another one replaced it. */
  discard(token: string): void {
    if (this.#token?.value === token) this.#token = undefined;
  }

  /** Uses the token of a sign-in, of a team switch or of a confirmed identity. */
  use(token: string): void {
    this.#hold(token);
    this.#tell({ kind: 'token', token });
  }

  /** Ends the session on the service and in all tabs. */
  async signOut(): Promise<void> {
    const logout = async () => {
      const token = await this.accessToken();
      const { ok, status } = await fetch(`${operations}/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
      if (status === 401) this.discard(token);
      else if (!ok) throw new Error(`The sign-out failed with status ${status}.`);
      return ok;
    };
    try {
      // A rejected token can have expired while the session lives: the second try has a new one.
      if (!(await logout())) await logout();
    } catch (error) {
      if (!(error instanceof SignedOutError)) throw error;
    }
    this.end();
  }

  /** Forgets a session that the service already ended, in all tabs. */
  end(): void {
    this.#leave(false);
    this.#tell({ kind: 'signed out' });
  }

  async #renew(): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      void navigator.locks
        .request('chancery-refresh', async () => {
          if (this.#token && this.#token.usableUntil > performance.now()) return resolve(this.#token.value);
          const token = await this.#refresh(sessionStorage.getItem(teamKey) ?? undefined);
          if (token === undefined) {
            this.#leave(this.#state.status === 'signed in');
            throw new SignedOutError();
          }
          this.use(token);
          resolve(token);
          await new Promise((done) => setTimeout(done, broadcastMs));
        })
        .catch(reject);
    });
  }

  /** Returns a new token, or undefined if the session ended. Rejects if the service does not respond. */
  async #refresh(teamId: string | undefined): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${operations}/refresh`, { method: 'POST', headers, body: JSON.stringify({ teamId }) });
    if (response.ok) return ((await response.json()) as { accessToken: string }).accessToken;
    // The person left the team of this tab, or it closed.
    if (response.status === 403 && teamId !== undefined) return this.#refresh(undefined);
    if (response.status === 401 || response.status === 403) return undefined;
    throw new Error(`The session was not renewed: status ${response.status}.`);
  }

  #hear(message: SessionMessage): void {
    if (message.kind === 'signed out') return this.#leave(false);
    const { sub, team } = claimsOf(message.token);
    const own = this.#state.status === 'signed in' ? this.#state.claims : undefined;
    if (own === undefined || (own.sub === sub && own.team === team)) this.#hold(message.token);
  }

  #hold(token: string): void {
    const claims = claimsOf(token);
    this.#token = {
      value: token,
      claims,
      usableUntil: performance.now() + Math.max(claims.lifetimeMs - renewalMarginMs, claims.lifetimeMs / 2),
    };
    sessionStorage.setItem(teamKey, claims.team);
    this.#become({ status: 'signed in', claims });
  }

  #leave(ended: boolean): void {
    this.#token = undefined;
    // Also drafts, which the next person must not see.
    sessionStorage.clear();
    this.#become({ status: 'signed out', ended });
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  #tell(message: SessionMessage): void {
    this.#channel.postMessage(message);
  }
}

export const session = new Session();
