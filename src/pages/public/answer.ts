import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Assets, sendCompressed } from './assets.ts';
import { documentOf, type PublicPage } from './shell.ts';

/** Answers with a page that the public opens: kept nowhere, found by no search engine, telling nobody where one came from. */
export function answerPage(request: FastifyRequest, reply: FastifyReply, assets: Assets, page: PublicPage): Promise<FastifyReply> {
  const { markup, policy } = documentOf({ ...page, isPart: request.headers['x-page'] !== undefined }, assets);
  reply
    .headers({
      'content-security-policy': policy,
      'content-language': page.locale,
      'cache-control': 'no-store',
      'referrer-policy': page.sendsReferer ? 'same-origin' : 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'cross-origin-opener-policy': 'same-origin',
      vary: 'accept, accept-language, accept-encoding',
    })
    .type('text/html; charset=utf-8');
  return sendCompressed(request, reply, markup);
}
