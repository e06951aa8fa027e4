import { verifyProof } from '../crypto/altcha.ts';
import { defineProblems, type Problem } from '../problems.ts';

const proofProblems = defineProblems({
  altcha_required: {
    status: 400,
    title: 'A proof of work is required',
    help: 'Get a challenge from the address that `detail` names, solve it, and send the solution as `altcha`. The public `altcha` widget does all of that.',
  },
  altcha_invalid: {
    status: 400,
    title: 'The proof of work is not valid',
    help: 'The solution does not belong to a challenge of this service or to this operation. Get a new challenge and solve it.',
  },
  altcha_expired: {
    status: 400,
    title: 'The proof of work has expired',
    help: 'A challenge is good for 10 minutes. Get a new one and solve it.',
  },
  altcha_already_used: {
    status: 400,
    title: 'The proof of work was used before',
    help: 'Each challenge is good for one request. Get a new one and solve it.',
  },
});

/** What a proof is checked by: the key of its challenge, what it is for, and the address that gives challenges. */
export type ProofOptions = { key: string; action: string; now: Date; from: string };

/**
 * Checks a proof of work. What comes back is to be remembered until it expires, so that the proof is used once. Errors: 400
 * `altcha_required`, `altcha_invalid`, `altcha_expired`.
 */
export async function requireProof(proof: unknown, { from, ...options }: ProofOptions): Promise<{ id: Buffer; expiresAt: Date }> {
  const result = await verifyProof(proof, options);
  if (result.ok) return result;
  throw proofProblems[result.code](`Get a challenge from GET ${from}, solve it and send the solution as \`altcha\`.`);
}

/** A proof that was used up before. */
export function proofAlreadyUsed(from: string): Problem {
  return proofProblems.altcha_already_used(`This solution was used before. Get a new challenge from GET ${from}.`);
}
