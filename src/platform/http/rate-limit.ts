import type { FastifyReply, FastifyRequest } from 'fastify';
import { countByMinute } from '../fixed-window-counter.ts';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';

const windowSeconds = 60;

/**
 * Limits requests per client IP address, counted in this process in windows of one minute, with the headers of draft-ietf-httpapi-ratelimit-headers.
 * Guesses of credentials have separate, stricter limits.
 */
export function rateLimitHook(perMinute: number) {
  const counter = countByMinute({ windowMs: windowSeconds * 1_000 });
  const policy = `"default";q=${perMinute};w=${windowSeconds}`;

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (perMinute === 0 || request.routeOptions.config?.unlimited) {
      done();
      return;
    }
    const count = counter.add(addressBlock(clientIp(request)));
    const resetIn = counter.wait(count);
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"default";r=${Math.max(0, perMinute - count.used)};t=${resetIn}`);
    if (count.used > perMinute) {
      done(
        problems.rate_limited(`Your IP address sent more than ${perMinute} requests in a minute. Wait ${resetIn} seconds.`, {
          headers: { 'retry-after': String(resetIn) },
        }),
      );
      return;
    }
    done();
  };
}
