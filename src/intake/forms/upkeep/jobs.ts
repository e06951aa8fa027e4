import { lockTreeShared } from '#folders';
import type { Database } from '../../../platform/database/database.ts';
import type { DueWork } from '../../../platform/jobs/due-jobs.ts';
import type { Isolation } from '../../../platform/jobs/isolated-jobs.ts';
import { Problem } from '../../../platform/problems.ts';
import { erase, type Erasing } from '../submissions/index.ts';
import { retentionFailed } from './events.ts';
import * as queries from './queries.ts';

const dayMs = 24 * 3_600_000;
const awaited: readonly string[] = ['workflow_active', 'legal_hold_active', 'signature_pending'];

type Due = { team: string; id: string; interface: string; reason: 'retention' | 'deletion' };

/** Erases answers after their retention period, each submission separately. Counts stay. */
export const retention = (erasing: Erasing): DueWork<Due> => ({
  job: queries.retentionJob,
  due: queries.dueErasures,
  async run(scope, { id, interface: interfaceId, reason }) {
    const { db, team, now } = scope;
    if (!(await db.first(queries.stillDue, { team, id, now }))) return;
    try {
      await scope.db.attempt((inner) => erase(erasing, { ...scope, db: inner }, { id, interfaceId, reason }));
    } catch (error) {
      // A running workflow, a pending signature or a legal hold prevents the erasure. Try again tomorrow.
      if (!(error instanceof Problem) || !awaited.includes(error.code)) throw error;
      db.send(queries.postponeErasure, { team, id, until: new Date(now.getTime() + dayMs) });
    }
  },
  setAside: { act: retentionFailed, target: ({ id }) => id },
});

const atOnceMost = 1_000;

/**
 * Deletes submissions that were not confirmed within a day, team by team. Serializes with legal holds: a hold also keeps unconfirmed
 * submissions.
 */
export async function dropUnconfirmed({ database, isolation }: { database: Database; isolation: Isolation }, now: Date): Promise<void> {
  const teams = await database.asSystem('find unconfirmed submissions', (tx) => tx.all(queries.teamsWithUnconfirmed, { before: now }));
  await isolation.each(
    queries.unconfirmedJob,
    teams.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      for (;;) {
        const done = await database.asSystem('delete unconfirmed submissions', (tx) =>
          tx.locked(lockTreeShared, { team }, () => tx.first(queries.dropUnconfirmed, { team, before: now, limit: atOnceMost })),
        );
        if ((done?.gone ?? 0) < atOnceMost) return;
      }
    },
  );
}

/**
 * Deletes expired sessions, used proofs, drafts and links, a limited number in each transaction. A retired link stays for a day
 * because its sessions need it.
 */
export async function dropLeftovers(database: Database, now: Date): Promise<void> {
  const aDayAgo = new Date(now.getTime() - dayMs);
  for (const [what, statement] of Object.entries(queries.leftovers)) {
    const before = what === 'links' ? aDayAgo : now;
    for (;;) {
      const done = await database.asSystem(`drop expired ${what} of forms`, (tx) => tx.first(statement, { before, limit: atOnceMost }));
      if ((done?.gone ?? 0) < atOnceMost) break;
    }
  }
}
