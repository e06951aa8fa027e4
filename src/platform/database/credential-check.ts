import type pg from 'pg';
import { lockNotAvailable, sqlState } from './errors.ts';
import type { Statement } from './statement.ts';

/**
 * A statement that proves a credential inside the transaction of an act, under a lock that whatever ends the credential takes
 * alone (`hold_credential_alone`). It fails with CR401 where the credential has ended, with CR403 where it may do less or other than
 * was believed, and with 55P03 where the lock is not to be had.
 */
export type Proof = { name: string; text: string; values: unknown[] };

/** A statement with its values, as a {@link Proof}. */
export function proofBy<Params extends object>({ name, text, values }: Statement<Params, never>, params: Params): Proof {
  return { name, text, values: values(params) };
}

/** What a proof has found of the credential itself; nothing for any other error. */
export function credentialEnd(error: unknown): 'ended' | 'changed' | undefined {
  const state = sqlState(error);
  return state === 'CR401' ? 'ended' : state === 'CR403' ? 'changed' : undefined;
}

type Query = (config: { name?: string; text: string; values?: unknown[] }) => Promise<pg.QueryResult>;

/**
 * Runs a proof in a transaction of its own, in one packet; resolves with the error that says that the credential has ended, or is
 * being ended by somebody who takes longer. One that may only do less by now is told what else went wrong.
 */
export async function endFoundBy(proof: Proof, query: Query, enter: Parameters<Query>[0]): Promise<unknown> {
  const sent = [query({ text: 'BEGIN' }), query(enter), query(proof), query({ text: 'ROLLBACK' })];
  const failed = (await Promise.allSettled(sent)).map((one) => (one.status === 'rejected' ? one.reason : undefined));
  return failed.find((error) => credentialEnd(error) === 'ended' || sqlState(error) === lockNotAvailable);
}
