/** Access tokens of a program: an API client requests a new token, a session of a person refreshes it. */
import type { Credentials } from '@chancery/client';

/** Caches a token until it is rejected. Concurrent requests share one call of `next`. */
function kept(next: () => Promise<string>): Credentials {
  let current: Promise<string> | undefined;
  let currentToken: string | undefined;
  async function get(): Promise<string> {
    try {
      currentToken = await next();
      return currentToken;
    } catch (error) {
      current = undefined;
      throw error;
    }
  }
  return {
    accessToken: () => (current ??= get()),
    ended(token) {
      // Another request may already have a new token.
      if (token === currentToken) current = undefined;
    },
  };
}

/** An API client (OAuth 2.0 client credentials). */
export function clientCredentials(baseUrl: string, clientId: string, clientSecret: string): Credentials {
  return kept(async () => {
    const response = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw new Error(`no token for the client: ${await response.text()}`);
    const { access_token: token } = (await response.json()) as { access_token: string };
    return token;
  });
}

/** The session of a person. It begins with the tokens of a sign-in, and each refresh replaces both tokens. */
export function session(baseUrl: string, first: { accessToken: string; refreshToken: string }): Credentials {
  let refreshToken = first.refreshToken;
  let begun = false;
  return kept(async () => {
    if (!begun) {
      begun = true;
      return first.accessToken;
    }
    const response = await fetch(`${baseUrl}/api/v1/security/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    if (!response.ok) throw new Error(`the session has ended: ${await response.text()}`);
    const tokens = (await response.json()) as { accessToken: string; refreshToken: string };
    ({ refreshToken } = tokens);
    return tokens.accessToken;
  });
}

/** Returns the refresh token from the cookie of a sign-in, `__Host-refresh_token` over https. */
export function refreshTokenOf(response: Response): string {
  for (const cookie of response.headers.getSetCookie()) {
    const [, token] = /^(?:__Host-)?refresh_token=([^;]+)/.exec(cookie) ?? [];
    if (token !== undefined) return decodeURIComponent(token);
  }
  throw new Error('the response sets no refresh token');
}
