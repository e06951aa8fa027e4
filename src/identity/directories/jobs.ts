import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import { lockMembers, ownerOfTeam, teamStatements } from '#accounts';
import { lockConnection } from '#sso';
import { offboard } from '#teams';
import type { Database } from '../../platform/database/database.ts';
import { smallestId } from '../../platform/identifiers.ts';
import { defineJob, type JobAttempt } from '../../platform/jobs/job.ts';
import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Directories } from './context.ts';
import { removalDiscarded } from './events.ts';
import { activate, deactivate, maySucceed, mailManagers } from './membership.ts';
import * as queries from './queries.ts';
import * as userQueries from './scim/user-queries.ts';

const userBatchSize = 50;

/** Runs work in a transaction of a team, with the directory as the actor. */
function asDirectory<T>(
  { database, listeners, clock }: Directories,
  team: string,
  id: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return database.inTeam(team, (db) =>
    work({ db, team, actor: { type: 'directory', id }, now: clock(), requestId: randomUUIDv7(), listeners }),
  );
}

/** Does work for each user of a list in batches. `next` returns the users after an id. */
async function eachUser(
  dirs: Directories,
  { team, directory, signal }: { team: string; directory: string; signal: JobAttempt['signal'] },
  next: (scope: Scope, after: string) => Promise<{ id: string }[]>,
  work: (scope: Scope, user: userQueries.UserRow) => Promise<unknown>,
): Promise<void> {
  const connection = (await dirs.database.reader(team).first(queries.connectionOf, { team, id: directory }))?.connection_id;
  let after: string | undefined = smallestId;
  while (after !== undefined) {
    const from: string = after;
    signal.throwIfAborted();
    after = await asDirectory(dirs, team, directory, async (scope) => {
      // The connection before the members, as in a sign-in through it.
      if (connection) await scope.db.all(lockConnection, { team, id: connection });
      await scope.db.all(lockMembers, { team });
      const found = await next(scope, from);
      for (const { id } of found) {
        const user = await scope.db.first(userQueries.lockAnyUser, { team, directory, id });
        if (user) await work(scope, user);
      }
      return found.at(-1)?.id;
    });
  }
}

/** Restores the users that a directory deactivated within two hours from the begin of a surge. Users removed by an administrator stay removed. */
export const restoreJob = defineJob(
  'directory-restore',
  Type.Object({ directory: Type.String(), since: Type.String() }),
  { counted: false, timeout: 600 },
  async (dirs: Directories, { directory, since }, { team, signal }) => {
    if (team === undefined) return;
    const settings = await dirs.database.reader(team).first(queries.settingsOf, { team, id: directory });
    if (!settings) return;
    const next = (scope: Scope, after: string) =>
      scope.db.all(userQueries.deactivatedSince, { team, directory, since: new Date(since), after, limit: userBatchSize });
    await eachUser(dirs, { team, directory, signal }, next, async (scope, user) => {
      if (user.status === 'withdrawn' || user.active) return;
      await scope.db.first(userQueries.markDeleted, { team, id: user.id, at: null });
      const active = await scope.db.first(userQueries.setActive, { team, id: user.id, active: true, at: scope.now });
      if (active) await activate(dirs, scope, settings, active);
    });
  },
);

/** Suspends the active users of a deleted directory, and then deletes its rows. */
export const suspendJob = defineJob(
  'directory-suspension',
  Type.Object({ directory: Type.String() }),
  { counted: false, timeout: 600 },
  async (dirs: Directories, { directory }, { team, signal }) => {
    if (team === undefined) return;
    const settings = await dirs.database.reader(team).first(queries.deletedSettings, { team, id: directory });
    if (!settings) return;
    const next = (scope: Scope, after: string) => scope.db.all(userQueries.activeUsers, { team, directory, after, limit: userBatchSize });
    await eachUser(dirs, { team, directory, signal }, next, async (scope, user) => {
      // The owner keeps the team.
      if ((await deactivate(dirs, scope, { ...settings, owner_successor_id: null }, user)) === 'done')
        await scope.db.first(userQueries.setActive, { team, id: user.id, active: false, at: scope.now });
    });
    await asDirectory(dirs, team, directory, async ({ db }) => void (await db.all(queries.deleteDirectory, { team, id: directory })));
  },
);

type Removal = { team: string; id: string; directory: string };

/** Removes the members whose users were deleted in the directory, after its delay. Their work goes to the successor. */
export const removals = (dirs: Directories): DueWork<Removal> => ({
  job: 'directory-removal',
  due: userQueries.dueRemovals,
  async run(scope, { team, id, directory }) {
    await scope.db.all(lockMembers, { team });
    const settings = await scope.db.first(queries.settingsOf, { team, id: directory });
    const user = await scope.db.first(userQueries.lockAnyUser, { team, directory, id });
    // The row of a withdrawn user stays, so that the directory does not bring the person back.
    if (!settings || !user || user.deleted_at === null || user.active || user.status === 'withdrawn') return;
    const [member] = user.account_id === null ? [] : await scope.db.all(teamStatements.lockMemberRows, { team, ids: [user.account_id] });
    // A member who became the owner in the meantime stays; the row goes.
    if (member && member.role !== 'owner')
      await offboard(dirs.accounts, scope, member, 'removed', await successorOf(scope, settings, user, member.id));
    scope.db.send(userQueries.deleteUser, { team, id });
  },
  setAside: { act: removalDiscarded, target: ({ id }) => id },
});

/** Returns who receives the work: the manager or the named member, if active and without an end; else the owner. */
async function successorOf(
  scope: Scope,
  { id: directory, successor, successor_id: named }: queries.DirectorySettings,
  user: userQueries.UserRow,
  leaving: string,
): Promise<string> {
  const { team } = scope;
  const { manager } = user.attributes;
  const managed =
    successor === 'manager' && manager !== undefined
      ? (await scope.db.first(userQueries.managerAccount, { team, directory, manager }))?.account_id
      : undefined;
  const wanted = successor === 'member' ? named : managed;
  const found = wanted === null || wanted === undefined ? undefined : await scope.db.first(teamStatements.findMember, { team, id: wanted });
  if (found && maySucceed(found) && found.id !== leaving) return found.id;
  const owner = await scope.db.first(ownerOfTeam, { team });
  if (!owner) throw new Error('the team has no owner');
  return owner.id;
}

export const tokenReminder = 'directory-token-reminder';
const remindedDays = [7, 30];

/** Mails the managers 30 and 7 days before a token ends. */
export async function remindOfTokens({ database, listeners, clock }: Directories, isolation: Isolation): Promise<void> {
  for (const days of remindedDays) {
    const due = await database.asSystem('find directory tokens that end', (tx) => tx.all(queries.tokensToRemind, { days, limit: 5_000 }));
    await isolation.each(tokenReminder, due, ({ team, id }) =>
      database.inTeam(team, async (db) => {
        const row = await db.first(queries.remindToken, { team, id, days });
        const scope: Scope = { db, team, actor: { type: 'system' }, now: clock(), requestId: randomUUIDv7(), listeners };
        if (row) await mailManagers(scope, { kind: 'tokenEnds', directory: row.name, days, at: new Date(row.expires_at) });
      }),
    );
  }
}

const logDays = 30;

/** Deletes requests of directories after 30 days. */
export async function dropOldLog(database: Database, now: Date): Promise<void> {
  await database.asSystem('delete old requests of directories', (tx) =>
    tx.all(queries.dropOldLog, { before: new Date(now.getTime() - logDays * 86_400_000) }),
  );
}
