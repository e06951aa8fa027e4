import { runProblems } from './problems.ts';
import type { CreateJob } from './schemas.ts';

export type Payload = { message: string; model: string | null; timeout: number | null };

/** Returns the instruction in `message` or `payload` of a body, or undefined if it has neither. Throws 422. */
export function readPayload({ payload, message }: Pick<CreateJob, 'payload' | 'message'>): Payload | undefined {
  if (payload !== undefined && message !== undefined)
    throw runProblems.job_incomplete('`message` and `payload` are both present. Send one of them.', {
      errors: [{ name: 'message', pointer: '/message', reason: 'cannot be combined with `payload`', rule: 'one-form' }],
    });
  const text = payload?.message ?? message;
  if (text === undefined) return undefined;
  if (text.includes('\0'))
    throw runProblems.job_incomplete('`message` contains U+0000, which cannot be stored. Remove it.', {
      errors: [
        { name: 'message', pointer: payload === undefined ? '/message' : '/payload/message', reason: 'contains U+0000', rule: 'message' },
      ],
    });
  return { message: text, model: payload?.model ?? null, timeout: payload?.timeoutSeconds ?? null };
}
