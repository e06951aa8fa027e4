import type { FastifyReply, FastifyRequest } from 'fastify';
import { countByMinute } from '../fixed-window-counter.ts';
import { problems } from '../problems.ts';
import { addressBlock, clientIp } from './client-ip.ts';

const windowSeconds = 60;

/**
 * A generous limit by client address, counted in this process in fixed windows of a minute, with the headers of
 * draft-ietf-httpapi-ratelimit-headers. Guessing is limited elsewhere, strictly and by failure.
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
        problems.rate_limited(`More than ${perMinute} requests a minute came from your address. Wait ${resetIn} seconds.`, {
          headers: { 'retry-after': String(resetIn) },
        }),
      );
      return;
    }
    done();
  };
}
