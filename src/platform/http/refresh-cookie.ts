import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

/** The cookie that carries a refresh token, of one kind of person. */
export type RefreshCookie = {
  set(reply: FastifyReply, token: string): void;
  /** Sets it to the refresh token of who has signed in, and gives back what else the answer shows. */
  keep<S extends { refreshToken: string }>(reply: FastifyReply, signedIn: S): Omit<S, 'refreshToken'>;
  clear(reply: FastifyReply): void;
  read(request: FastifyRequest): string | undefined;
  /** Refuses a request that only a cookie speaks for and that a foreign page makes. */
  refuseForeignPage(request: FastifyRequest): void;
};

export type CookieSettings = { baseUrl: string; corsOrigins: readonly string[] };

/** `__Host-` binds a cookie to this very host over https (RFC 6265bis §4.1.3.2); plain http cannot have it. */
export function cookieAttributes({ baseUrl }: Pick<CookieSettings, 'baseUrl'>) {
  return { path: '/', httpOnly: true, secure: baseUrl.startsWith('https:'), sameSite: 'strict' as const };
}

/** The name of a cookie: with the prefix that no other host and no plain http can set, where the service has https. */
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
      // A browser says where a request comes from in `Origin` or `Sec-Fetch-Site`; without either it is no browser.
      const { origin } = request.headers;
      const site = request.headers['sec-fetch-site'];
      if (origin === undefined ? site === undefined || ['same-origin', 'same-site', 'none'].includes(site) : own.includes(origin)) return;
      throw problems.cross_origin_refused(
        'This page may not use the sign-in of another: call from a page of the service, or list the origin in CORS_ORIGINS.',
      );
    },
  };
}
