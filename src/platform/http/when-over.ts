import type { FastifyReply } from 'fastify';

/** Whether there is nobody to answer any more: it was answered, or the client has hung up. */
export const isOver = ({ raw }: FastifyReply): boolean => raw.destroyed || raw.closed;

/**
 * Does something once a request is answered or its client has hung up. Where that has happened already, as it may while something was
 * waited for, it is done at once: an event that is over is not heard of again, and what was to be given back would be kept for good.
 */
export function whenOver(reply: FastifyReply, work: () => void): void {
  if (isOver(reply)) work();
  else reply.raw.once('close', work);
}
