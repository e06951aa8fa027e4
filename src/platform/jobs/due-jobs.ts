import { type TObject, Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import type { AuditAction } from '../journal/audit-actions.ts';
import type { EventListener } from '../journal/listeners.ts';
import { recordAudit } from '../journal/record.ts';
import type { Scope } from '../scope.ts';
import type { Isolation, Thing } from './isolated-jobs.ts';
import { inTeamAs } from './job.ts';

/** Work that things of many teams have at a time of their own. */
export type DueWork<T extends Thing = Thing> = {
  job: string;
  /** Finds what is due, by age, of no team more than `ofEachTeam`; names `job_waits`, and only teams that go on (`team_goes_on`). */
  due: Statement<{ now: Date; limit: number; ofEachTeam: number }, T>;
  /** Does what is due, in one transaction of the team. Looks again whether it still is. */
  run(scope: Scope, thing: T): Promise<void>;
  /** What the team's journal says of a thing that has failed so often that it is set aside. */
  setAside: { act: SetAside; target: (thing: T) => string };
};

/** What an entry says of a thing that is set aside. */
export const discardedMembers = { job: Type.String(), failures: Type.Integer() };
type SetAside = AuditAction<TObject<typeof discardedMembers>, never>;

export type DueJobDependencies = { database: Database; listeners: readonly EventListener[]; isolation: Isolation };

const page = { limit: 500, ofEachTeam: 25 };
const passMs = 40_000;
const limitMs = 5_000;

/** Does all that is due of one kind, each thing in a transaction and a time limit of its own. Several nodes may run it at once. */
export async function doDueWork<T extends Thing>(deps: DueJobDependencies, work: DueWork<T>, now: Date): Promise<void> {
  const { database, isolation } = deps;
  const begun = performance.now();
  // A pass may take minutes: what is done late in it is told to have been done then, or whoever asks what has changed since would never hear of it.
  const clock = () => new Date(now.getTime() + performance.now() - begun);
  const inTeam = (team: string, act: (scope: Scope) => Promise<void>): Promise<void> => inTeamAs('timer', team, { ...deps, clock })(act);
  const seen = new Set<string>();
  while (performance.now() - begun < passMs) {
    const due = await database.asSystem(`find what is due: ${work.job}`, (tx) => tx.all(work.due, { now, ...page }));
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
