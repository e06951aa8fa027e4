import { verifyProof } from '../crypto/altcha.ts';
import { defineProblems, type Problem } from '../problems.ts';

const proofProblems = defineProblems({
  altcha_required: {
    status: 400,
    title: 'Proof of work required',
    help: 'Get a challenge from the URL in `detail`, solve it, and send the solution as `altcha`. The public `altcha` widget does this. In your own code, find the `number` for which the SHA-256 of `salt` followed by `number` is `challenge`. The solution is the base64 of the JSON `{algorithm, challenge, number, salt, signature}`.',
  },
  altcha_invalid: {
    status: 400,
    title: 'Invalid proof of work',
    help: 'The solution does not belong to a challenge of this service or to this operation. Get a new challenge and solve it.',
  },
  altcha_expired: {
    status: 400,
    title: 'Proof of work expired',
    help: 'A challenge expires after 10 minutes. Get a new one and solve it.',
  },
  altcha_already_used: {
    status: 400,
    title: 'Proof of work already used',
    help: 'Each challenge is valid for one request. Get a new one and solve it.',
  },
});

/** The key of the challenge, its purpose, the current time, and the URL that issues challenges. */
export type ProofOptions = { key: string; action: string; now: Date; from: string };

/**
 * Verifies a proof of work. The caller must store the result until it expires, so that each proof is used once. Throws 400
 * `altcha_required`, `altcha_invalid`, `altcha_expired`.
 */
export async function requireProof(proof: unknown, { from, ...options }: ProofOptions): Promise<{ id: Buffer; expiresAt: Date }> {
  const result = await verifyProof(proof, options);
  if (result.ok) return result;
  throw proofProblems[result.code](
    `This request needs a proof of work. Get a challenge from GET ${from}, solve it and send the solution as \`altcha\`.`,
  );
}

/** Returns the error for a proof that was already used. */
export function proofAlreadyUsed(from: string): Problem {
  return proofProblems.altcha_already_used(`This solution was already used. Get a new challenge from GET ${from}.`);
}
