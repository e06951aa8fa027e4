import type { FastifyReply, FastifyRequest } from 'fastify';
import { equalInConstantTime, hmac } from '../crypto/tokens.ts';
import { type CookieSettings, cookieAttributes, hostCookie } from './refresh-cookie.ts';

/** A user with their current password. A pass ends when the password changes. */
export type PassOwner = { id: string; passwordHash: string | null };

/**
 * A cookie that marks a browser in which the user has signed in before. It grants no access. Wrong passwords from other devices do not lock the user
 * out of this browser.
 */
export type DevicePass = {
  give(reply: FastifyReply, holder: PassOwner, now: Date): void;
  read(request: FastifyRequest): string | undefined;
  /** Returns whether the cookie is a valid pass of this user with the current password. */
  isOf(pass: string | undefined, holder: PassOwner, now: Date): boolean;
};

export function createDevicePass(
  name: string,
  seconds: number,
  { key, settings }: { key: Buffer; settings: Pick<CookieSettings, 'baseUrl'> },
): DevicePass {
  const full = hostCookie(name, settings);
  const sign = ({ id, passwordHash }: PassOwner, until: string) => hmac(key, 'device', id, passwordHash ?? '', until).toString('base64url');
  return {
    give(reply, owner, now) {
      const until = (Math.floor(now.getTime() / 1000) + seconds).toString(36);
      reply.setCookie(full, `${until}.${sign(owner, until)}`, { ...cookieAttributes(settings), maxAge: seconds });
    },
    read: (request) => request.cookies[full],
    isOf(pass, owner, now) {
      const [until = '', signature = ''] = pass?.split('.') ?? [];
      return (
        Number.parseInt(until, 36) * 1000 > now.getTime() && equalInConstantTime(Buffer.from(signature), Buffer.from(sign(owner, until)))
      );
    },
  };
}
