import type { FastifyReply } from 'fastify';
import type { Assets } from './assets.ts';
import { documentOf, type PublicPage } from './shell.ts';

/** Sends a public page: not cached, not indexed, and without a referrer. */
export function answerPage(reply: FastifyReply, assets: Assets, page: PublicPage): FastifyReply {
  const { markup, policy } = documentOf({ ...page, isPart: reply.request.headers['x-page'] !== undefined }, assets);
  return reply
    .headers({
      'content-security-policy': policy,
      'content-language': page.locale,
      'cache-control': 'no-store',
      'referrer-policy': page.sendsReferer ? 'same-origin' : 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'accept, accept-language',
    })
    .type('text/html; charset=utf-8')
    .send(markup);
}
