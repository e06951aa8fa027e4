import type { FastifyReply } from 'fastify';

/** Whether there is nobody to answer any more: it was answered, or the client has hung up. */
export const isResponseClosed = ({ raw }: FastifyReply): boolean => raw.destroyed || raw.closed;

/**
 * Does something once a request is answered or its client has hung up. Where that has happened already, as it may while something was
 * waited for, it is done at once: an event that is over is not heard of again, and what was to be given back would be kept for good.
 */
export function onResponseClose(reply: FastifyReply, work: () => void): void {
  if (isResponseClosed(reply)) work();
  else reply.raw.once('close', work);
}

/** Requests whose work has ended, and what is due when that of others has. */
const answered = new WeakSet<FastifyReply>();
const due = new WeakMap<FastifyReply, () => void>();

/** Says that the work of a request has ended: its answer is made, whether or not there is anybody to read it. */
export function noteAnswered(reply: FastifyReply): void {
  answered.add(reply);
  due.get(reply)?.();
  due.delete(reply);
}

/**
 * The same, but only once the work of the request has ended too: it goes on when the client hangs up, and what it has in memory is there until
 * then. For one thing of a request.
 */
export function whenDone(reply: FastifyReply, work: () => void): void {
  onResponseClose(reply, () => {
    if (answered.has(reply)) work();
    else due.set(reply, work);
  });
}
