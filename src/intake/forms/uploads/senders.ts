import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairBudget } from '../../../platform/fair-budget.ts';
import { addressBlock, clientIp } from '../../../platform/http/client-ip.ts';
import { onResponseClose } from '../../../platform/http/on-response-close.ts';
import { problems } from '../../../platform/problems.ts';
import type { Channel } from '../schemas.ts';
import type { Admitted } from './admission.ts';

const mebibyte = 1024 * 1024;
/** A file above `smallBytes` uses a buffer of 5 MiB on its way to an S3 bucket, regardless of its size. */
const [smallBytes, partBytes] = [64 * 1024, 5 * mebibyte];

/** Requests whose bytes are already counted against the budget. */
const counted = new WeakSet<FastifyRequest>();

/** The budget of one address for one team: two files of the maximum size, or 20 upload buffers. */
export const roomOfAddresses = (maxUploadBytes: number): FairBudget =>
  new FairBudget({ total: Infinity, part: 1, maxPerKey: Math.max(2 * maxUploadBytes, 20 * partBytes) });

/**
 * Returns the key under which an upload shares the bandwidth to the storage. All visitors of a team share one key, so that they do not slow down its
 * members. Each address has a limited share until its response is sent, so that slow senders do not block other visitors. Throws 429.
 */
export function sendersOf(
  { visited: { team }, maxBytes }: Admitted,
  channel: Channel,
  { request, reply, budget }: { request: FastifyRequest; reply: FastifyReply; budget: FairBudget },
): string {
  if (channel !== 'public') return team;
  const visitors = `visitors of ${team}`;
  // The files of one request arrive one after another.
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
    'Your address has reached its limit of concurrent uploads. This file was not stored. Send it again after another upload ends.',
    { headers: { 'retry-after': '5' } },
  );
