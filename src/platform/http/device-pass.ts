import type { FastifyReply, FastifyRequest } from 'fastify';
import { equalInConstantTime, hmac } from '../crypto/tokens.ts';
import { type CookieSettings, cookieAttributes, hostCookie } from './refresh-cookie.ts';

/** A person and the password they have: a pass ends with either. */
export type PassOwner = { id: string; passwordHash: string | null };

/**
 * A cookie that says that this browser has proven to be somebody's. It opens nothing: guesses of strangers do not hold up
 * the password of who shows it.
 */
export type DevicePass = {
  give(reply: FastifyReply, holder: PassOwner, now: Date): void;
  read(request: FastifyRequest): string | undefined;
  /** Whether what was read is a pass of this person, with the password of now. */
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
