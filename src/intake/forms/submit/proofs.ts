import { proofAlreadyUsed, type ProofOptions } from '../../../platform/http/proof-of-work.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Visited } from '../visitor.ts';
import type { Submitting } from './context.ts';
import * as queries from './queries.ts';

const challengePath = '/api/v1/interfaces/public/{token}/altcha';

/** Returns the action that a proof of work for this form must name. */
export const proofAction = ({ id }: Pick<Visited, 'id'>): string => `submit:${id}`;

/** Returns the options for verifying a proof of work for this form. */
export function proofOptions({ proofKey }: Pick<Submitting, 'proofKey'>, visited: Visited, now: Date): ProofOptions {
  return { key: proofKey, action: proofAction(visited), now, from: challengePath };
}

/** Marks a proof of work as used in this transaction. Throws 400 `altcha_already_used`. */
export async function spendProof({ db, team }: Pick<Scope, 'db' | 'team'>, proof: { id: Buffer; expiresAt: Date }): Promise<void> {
  const spent = await db.first(queries.spendProof, { team, ...proof });
  if (!spent) throw proofAlreadyUsed(challengePath);
}
