import type pg from 'pg';
import { lockNotAvailable, sqlState } from './errors.ts';
import type { Statement } from './statement.ts';

/**
 * A statement that checks a credential inside the transaction of an action, under a shared lock. Code that ends the credential acquires the
 * same lock exclusively (`lock_credential_exclusively`). Fails with CR401 if the credential has ended, with CR403 if its rights changed,
 * and with 55P03 if the lock is not available.
 */
export type Proof = { name: string; text: string; values: unknown[] };

/** Creates a {@link Proof} from a statement and its parameters. */
export function credentialCheck<Params extends object>({ name, text, values }: Statement<Params, never>, params: Params): Proof {
  return { name, text, values: values(params) };
}

/** Returns the reason why the credential check failed; undefined for any other error. */
export function credentialEnd(error: unknown): 'ended' | 'changed' | undefined {
  const state = sqlState(error);
  return state === 'CR401' ? 'ended' : state === 'CR403' ? 'changed' : undefined;
}

type Query = (config: { name?: string; text: string; values?: unknown[] }) => Promise<pg.QueryResult>;

/**
 * Runs a credential check in a separate transaction, in one packet. Resolves with the error if the credential has ended or another transaction is
 * ending it. If only the rights changed, returns undefined, so that the caller reports its original error.
 */
export async function endFoundBy(proof: Proof, query: Query, enter: Parameters<Query>[0]): Promise<unknown> {
  const sent = [query({ text: 'BEGIN' }), query(enter), query(proof), query({ text: 'ROLLBACK' })];
  const failed = (await Promise.allSettled(sent)).map((one) => (one.status === 'rejected' ? one.reason : undefined));
  return failed.find((error) => credentialEnd(error) === 'ended' || sqlState(error) === lockNotAvailable);
}
