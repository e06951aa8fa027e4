import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

/** The cookie with the refresh token of users or of staff. */
export type RefreshCookie = {
  set(reply: FastifyReply, token: string): void;
  /** Sets the cookie and returns the response without the refresh token. */
  keep<S extends { refreshToken: string }>(reply: FastifyReply, signedIn: S): Omit<S, 'refreshToken'>;
  clear(reply: FastifyReply): void;
  read(request: FastifyRequest): string | undefined;
  /** Rejects a request from a page of another origin that authenticates only with the cookie. */
  refuseForeignPage(request: FastifyRequest): void;
};

export type CookieSettings = { baseUrl: string; corsOrigins: readonly string[] };

/** `__Host-` binds a cookie to this host over https (RFC 6265bis §4.1.3.2). It is not possible over plain http. */
export function cookieAttributes({ baseUrl }: Pick<CookieSettings, 'baseUrl'>) {
  return { path: '/', httpOnly: true, secure: baseUrl.startsWith('https:'), sameSite: 'strict' as const };
}

/** Returns the name of a cookie, with the `__Host-` prefix if the service uses https. */
export function hostCookie(name: string, settings: Pick<CookieSettings, 'baseUrl'>): string {
  return cookieAttributes(settings).secure ? `__Host-${name}` : name;
}

export function createRefreshCookie(name: string, maxAgeSeconds: number, settings: CookieSettings): RefreshCookie {
  const attributes = cookieAttributes(settings);
  const full = hostCookie(name, settings);
  const own = [new URL(settings.baseUrl).origin, ...settings.corsOrigins];
  const set = (reply: FastifyReply, token: string) => void reply.setCookie(full, token, { ...attributes, maxAge: maxAgeSeconds });
  return {
    set,
    keep(reply, { refreshToken, ...shown }) {
      set(reply, refreshToken);
      return shown;
    },
    clear: (reply) => void reply.setCookie(full, '', { ...attributes, maxAge: 0 }),
    read: (request) => request.cookies[full],
    refuseForeignPage(request) {
      // Browsers send `Origin` or `Sec-Fetch-Site`. A request without both does not come from a browser.
      const { origin } = request.headers;
      const site = request.headers['sec-fetch-site'];
      if (origin === undefined ? site === undefined || ['same-origin', 'same-site', 'none'].includes(site) : own.includes(origin)) return;
      throw problems.cross_origin_refused(
        'A page of another origin cannot use this sign-in. Call from a page of this service, or list the origin in CORS_ORIGINS.',
      );
    },
  };
}
