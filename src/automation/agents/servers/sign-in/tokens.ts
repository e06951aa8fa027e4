import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { record } from '../../../../platform/journal/record.ts';
import type { Servers } from '../context.ts';
import type { Grant } from '../credentials.ts';
import { signInNeeded } from '../events.ts';
import { RemoteFailure } from '../failure.ts';
import type { Exchange, Target } from '../remote.ts';
import { revokeTokens, Refused, renew } from './authorization-server.ts';
import * as queries from './queries.ts';

/** Tokens that expire within this time are renewed first. */
const aheadMs = 30_000;
/** The time for one node to renew tokens before another node may try. */
const turnSeconds = 30;

type Called = { target: Target; grant?: Grant };

/** Decrypts the stored credential of a server. */
function calledWith({ credentials }: Servers, team: string, { id, url, origin, credential }: queries.SealedRow): Called {
  if (credential === null) return { target: { url } };
  const kept = credentials.open({ team, id, origin }, credential);
  if ('grant' in kept) return { target: targetWith(url, kept.grant), grant: kept.grant };
  return { target: { url, header: { name: kept.header, value: kept.value } } };
}

const targetWith = (url: string, { accessToken }: Grant): Target => ({
  url,
  header: { name: 'Authorization', value: `Bearer ${accessToken}` },
  signedIn: true,
});

const isFresh = ({ expiresAt }: Grant, now: Date) => expiresAt === undefined || expiresAt - now.getTime() > aheadMs;

/**
 * Runs an exchange with the credential of a server. Renews expired tokens first, and rejected tokens once, unless `work` has already started. Rejects
 * with the same errors as `ask`.
 */
export async function askSignedIn<T>(
  servers: Servers,
  team: string,
  row: queries.SealedRow,
  signal: AbortSignal,
  work: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  const { target, grant } = calledWith(servers, team, row);
  if (!grant) return servers.ask(target, signal, work);
  const first = isFresh(grant, servers.clock()) ? target : await renewed(servers, team, row, grant, signal);
  let begun = false;
  try {
    return await servers.ask(first, signal, (exchange) => {
      begun = true;
      return work(exchange);
    });
  } catch (error) {
    const isTokenRejected = error instanceof RemoteFailure && error.code === 'sign_in_needed' && !begun;
    if (!isTokenRejected || first !== target) throw error;
    return servers.ask(await renewed(servers, team, row, grant, signal), signal, work);
  }
}

/** Returns the server with new tokens. One of several concurrent callers renews them, and the others wait. Rejects with `RemoteFailure`. */
async function renewed(
  servers: Servers,
  team: string,
  { id, origin }: queries.SealedRow,
  old: Grant,
  signal: AbortSignal,
): Promise<Target> {
  const { database } = servers;
  const one = { team, id };
  for (const until = Date.now() + turnSeconds * 1_000; ; await pause(150, undefined, { signal })) {
    const row = await database.reader(team).first(queries.sealedOf, one);
    // The address has changed, or the sign-in has ended.
    if (!row || row.origin !== origin) throw new RemoteFailure('sign_in_needed');
    const { target, grant } = calledWith(servers, team, row);
    if (!grant) throw new RemoteFailure('sign_in_needed');
    if (grant.accessToken !== old.accessToken) return target;
    const turn = randomUUIDv7();
    const mine = await database.inTeam(team, (tx) => tx.first(queries.takeTurn, { ...one, origin, turn, seconds: turnSeconds }));
    if (mine) return renewNow(servers, team, mine, turn, old);
    if (Date.now() > until) throw new RemoteFailure('timeout');
  }
}

/** Renews and stores the tokens. The caller has the lease `turn`. */
async function renewNow(servers: Servers, team: string, row: queries.SealedRow, turn: string, old: Grant): Promise<Target> {
  const { database, credentials } = servers;
  const { id, url, origin } = row;
  const mine = { team, id, turn };
  const { target, grant } = calledWith(servers, team, row);
  // Another node renewed the tokens between the check and the lease.
  if (grant?.accessToken !== old.accessToken) {
    await database.inTeam(team, async (tx) => tx.send(queries.endTurn, mine));
    if (!grant) throw new RemoteFailure('sign_in_needed');
    return target;
  }
  try {
    if (grant.refreshToken === undefined) throw new Refused();
    const next = await renew(servers, grant, grant.refreshToken);
    const credential = credentials.seal({ team, id, origin }, { grant: next });
    const put = await database.inTeam(team, (tx) => tx.first(queries.putTokens, { ...mine, credential }));
    if (put) return targetWith(url, next);
    // The sign-in ended during the renewal, so the new tokens are revoked.
    await revokeTokens(servers, next).catch(() => undefined);
    throw new RemoteFailure('sign_in_needed');
  } catch (error) {
    if (!(error instanceof Refused)) {
      await database.inTeam(team, async (tx) => tx.send(queries.endTurn, mine));
      throw error;
    }
    await giveUp(servers, team, mine);
    throw new RemoteFailure('sign_in_needed');
  }
}

/** Deletes invalid tokens and notifies the team. */
async function giveUp(
  { database, listeners, clock }: Servers,
  team: string,
  mine: { team: string; id: string; turn: string },
): Promise<void> {
  await database.inTeam(team, async (db) => {
    const now = clock();
    const ended = await db.first(queries.endGrant, { ...mine, at: now });
    if (!ended) return;
    const scope = { db, team, actor: { type: 'system' }, now, requestId: 'agent-sign-in', listeners } as const;
    await record(scope, signInNeeded, mine.id, { slug: ended.slug });
  });
}
