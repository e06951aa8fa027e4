import { runProblems } from './problems.ts';
import type { CreateJob } from './schemas.ts';

export type Payload = { message: string; model: string | null; timeout: number | null };

/** What a body tells the agent, by either form; nothing when it says nothing of it. Errors: 422. */
export function readPayload({ payload, message }: Pick<CreateJob, 'payload' | 'message'>): Payload | undefined {
  if (payload !== undefined && message !== undefined)
    throw runProblems.job_incomplete('`message` is given beside `payload`: send one form of it.', {
      errors: [{ name: 'message', pointer: '/message', reason: 'is given beside `payload`', rule: 'one-form' }],
    });
  const told = payload?.message ?? message;
  if (told === undefined) return undefined;
  if (told.includes('\0'))
    throw runProblems.job_incomplete('`message` has a character that cannot be kept: leave U+0000 out.', {
      errors: [
        { name: 'message', pointer: payload === undefined ? '/message' : '/payload/message', reason: 'has U+0000', rule: 'message' },
      ],
    });
  return { message: told, model: payload?.model ?? null, timeout: payload?.timeoutSeconds ?? null };
}
