import { Type } from 'typebox';
import { defineJob, enqueue } from '../../../../platform/jobs/job.ts';
import { record } from '../../../../platform/journal/record.ts';
import type { Scope } from '../../../../platform/scope.ts';
import type { Servers } from '../context.ts';
import { signInNeeded } from '../events.ts';
import { lockServers } from '../queries.ts';
import { revokeTokens, Refused } from './authorization-server.ts';
import * as queries from './queries.ts';

/**
 * Revokes the tokens of an ended sign-in at the authorization server, with 4 retries. This service no longer uses them, even if the revocation fails.
 * The job data contain them encrypted, so after a change of the master key the job cannot read them.
 */
export const revokeTokensJob = defineJob(
  'agent-sign-in-ended',
  Type.Object({ team: Type.String(), id: Type.String(), origin: Type.String(), sealed: Type.String() }),
  { retries: 4, backoff: { first: 30, factor: 6, most: 3_600 }, timeout: 40, concurrency: 2, counted: false },
  async (servers: Servers, { team, id, origin, sealed }) => {
    const kept = servers.credentials.open({ team, id, origin }, Buffer.from(sealed, 'base64'));
    if (!('grant' in kept)) return;
    await revokeTokens(servers, kept.grant).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  },
);

type StoredSignIn = Pick<queries.SealedRow, 'id' | 'origin' | 'credential'> & { sign_in_issuer: string | null };

/** Enqueues the revocation of the tokens of a server, if it has a sign-in. The job runs after the commit. */
export function enqueueTokenRevocation(scope: Scope, { id, origin, credential, sign_in_issuer: issuer }: StoredSignIn): void {
  if (credential === null || issuer === null) return;
  enqueue(scope, revokeTokensJob, { team: scope.team, id, origin, sealed: credential.toString('base64') });
}

/**
 * Ends the sign-ins that a member made, when the member may no longer manage agents. Otherwise agents would keep the rights of that person at the
 * other service. Notifies the team that these servers need a new sign-in.
 */
export async function endSignInsOf(scope: Scope, user: string): Promise<void> {
  const { db, team, now: at } = scope;
  for (const kept of await db.locked(lockServers, { team }, () => db.all(queries.signedInBy, { team, user }))) {
    await db.all(queries.endSignIn, { team, id: kept.id, at });
    enqueueTokenRevocation(scope, kept);
    await record(scope, signInNeeded, kept.id, { slug: kept.slug });
  }
}
