import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../../../platform/fair-budget.ts';
import { addressBlock, clientIp } from '../../../platform/http/client-ip.ts';
import { onResponseClose } from '../../../platform/http/on-response-close.ts';
import { problems } from '../../../platform/problems.ts';
import type { Channel } from '../schemas.ts';
import type { Admitted } from './admission.ts';

const mebibyte = 1024 * 1024;
/** A file of more than so many bytes takes a part of five MiB on its way to a bucket, however small it is. */
const [smallBytes, partBytes] = [64 * 1024, 5 * mebibyte];

/** Requests whose bytes are counted already. */
const counted = new WeakSet<FastifyRequest>();

/** What one address of visitors may have on its way to one team: two files of the largest size, or twenty of those that take a part each. */
export const roomOfAddresses = (maxUploadBytes: number): FairBudget =>
  new FairBudget({ total: Infinity, part: 1, maxPerKey: Math.max(2 * maxUploadBytes, 20 * partBytes) });

/**
 * Who shares the way to the storage with others. Visitors of a team share one among themselves, so that a crowd of them leaves its members
 * alone; each address has a bounded part of that, until it is answered, so that slow senders leave room for other visitors. Errors: 429.
 */
export function sendersOf(
  { visited: { team }, maxBytes }: Admitted,
  channel: Channel,
  { request, reply, budget }: { request: FastifyRequest; reply: FastifyReply; budget: FairBudget },
): string {
  if (channel !== 'public') return team;
  const visitors = `visitors of ${team}`;
  // Files of one request come one after the other.
  if (counted.has(request)) return visitors;
  const { 'content-length': length = maxBytes } = request.headers;
  const bytes = Math.min(Number(length), maxBytes);
  const back = budget.take(`${team} ${addressBlock(clientIp(request))}`, bytes > smallBytes ? Math.max(bytes, partBytes) : bytes);
  if (!back) throw tooManyFiles();
  counted.add(request);
  onResponseClose(reply, back);
  return visitors;
}

const tooManyFiles = () =>
  problems.rate_limited(
    'Your address sends as many files as it may at once. Nothing was kept of this one. Send it again when another has come, and fewer at once.',
    { headers: { 'retry-after': '5' } },
  );
