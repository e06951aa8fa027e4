import { type TObject, Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { AuditAction } from '../journal/audit-actions.ts';
import type { EventListener } from '../journal/listeners.ts';
import { recordAudit } from '../journal/record.ts';
import type { Scope } from '../scope.ts';
import type { Isolation, Thing } from './isolated-jobs.ts';
import { inTeamAs } from './job.ts';

/** Work on items of many teams, where each item becomes due at its own time. */
export type DueWork<T extends Thing = Thing> = {
  job: string;
  /**
   * Selects due items, oldest first, at most `ofEachTeam` per team. The statement must exclude items with `job_waits` and teams that are not active
   * (`team_active`).
   */
  due: Statement<{ now: Date; limit: number; ofEachTeam: number }, T>;
  /** Processes an item in one transaction of the team. Checks again that the item is due. */
  run(scope: Scope, thing: T): Promise<void>;
  /** The audit action for an item that is discarded after repeated failures. */
  setAside: { act: SetAside; target: (thing: T) => string };
};

/** The details of the journal entry about a discarded item. */
export const discardedMembers = { job: Type.String(), failures: Type.Integer() };
type SetAside = AuditAction<TObject<typeof discardedMembers>, never>;

export type DueJobDependencies = { database: Database; listeners: readonly EventListener[]; isolation: Isolation };

const page = { limit: 500, ofEachTeam: 25 };
const passMs = 40_000;
const limitMs = 5_000;

/** Does all due work of one kind, each item in a separate transaction with a time limit. Several nodes can run it at the same time. */
export async function doDueWork<T extends Thing>(deps: DueJobDependencies, work: DueWork<T>, now: Date): Promise<void> {
  const { database, isolation } = deps;
  const begun = performance.now();
  // A pass can take minutes. Later items get later timestamps; otherwise clients that poll for changes since a time would miss them.
  const clock = () => new Date(now.getTime() + performance.now() - begun);
  const inTeam = (team: string, act: (scope: Scope) => Promise<void>): Promise<void> => inTeamAs('timer', team, { ...deps, clock })(act);
  const seen = new Set<string>();
  while (performance.now() - begun < passMs) {
    const due = await database.asSystem(`find due work: ${work.job}`, (tx) => tx.all(work.due, { now, ...page }));
    const fresh = due.filter(({ team, id }) => !seen.has(`${team} ${id}`));
    if (fresh.length === 0) return;
    for (const { team, id } of fresh) seen.add(`${team} ${id}`);
    await isolation.each(work.job, fresh, (thing) => inTeam(thing.team, (scope) => work.run(scope, thing)), {
      limitMs,
      onSetAside: (thing, failures) =>
        inTeam(thing.team, (scope) => recordAudit(scope, work.setAside.act, work.setAside.target(thing), { job: work.job, failures })),
    });
  }
}
