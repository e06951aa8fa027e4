import type { FastifyReply } from 'fastify';

/** Returns whether the response was sent or the client closed the connection. */
export const isResponseClosed = ({ raw }: FastifyReply): boolean => raw.destroyed || raw.closed;

/**
 * Runs `work` after the response was sent or the client closed the connection. If that already happened, runs it immediately: the
 * event would not fire again, and resources would never be released.
 */
export function onResponseClose(reply: FastifyReply, work: () => void): void {
  if (isResponseClosed(reply)) work();
  else reply.raw.once('close', work);
}

/** Requests whose work has ended, and the callbacks of requests whose work continues. */
const answered = new WeakSet<FastifyReply>();
const due = new WeakMap<FastifyReply, () => void>();

/** Records that the work of a request has ended, even if the client has closed the connection. */
export function markResponded(reply: FastifyReply): void {
  answered.add(reply);
  due.get(reply)?.();
  due.delete(reply);
}

/**
 * Like {@link onResponseClose}, but waits until the work of the request has also ended. The work can continue after the client closes the connection,
 * and it uses memory until it ends. Only one callback per request.
 */
export function whenDone(reply: FastifyReply, work: () => void): void {
  onResponseClose(reply, () => {
    if (answered.has(reply)) work();
    else due.set(reply, work);
  });
}
