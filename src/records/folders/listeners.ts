import { randomUUIDv7 } from 'node:crypto';
import { barriers, grantsEndForOwner, isBehindBarrier } from '#access';
import { memberRemoved, memberRoleChanged, namesOf } from '#teams';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import type { Scope } from '../../platform/scope.ts';
import { nameKey } from '../../platform/text.ts';
import { barrierMemberAdded, folderCreated, folderMoved } from './events.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import { eventData } from './service.ts';
import { lockTree, takeOver } from './tree-queries.ts';
import { notifyOfSuccessor } from './emergency-access.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const maxNames = 100;
const managers: readonly string[] = ['owner', 'admin'];

/**
 * The tree of a member who leaves goes to the successor, into one folder named after the member. Emergency access ends when a member is no longer
 * an administrator.
 */
export const folderListeners: readonly EventListener[] = [
  on(memberRemoved, (scope, { targetId, data }) => handOver(scope, targetId, data.successorId)),
  on(memberRoleChanged, async (scope, { targetId, data }) => {
    if (!managers.includes(data.to)) await scope.db.all(barriers.endEmergencyAccessOf, { team: scope.team, user: targetId });
  }),
];

async function handOver(scope: Scope, from: string, to: string): Promise<void> {
  const { team } = scope;
  await scope.db.all(lockTree, { team });
  const { tops, leaving, inherited } = await pipelined({
    tops: () => scope.db.all(queries.topFolders, { team, user: from }),
    leaving: () => scope.db.first(namesOf, { team, id: from }),
    inherited: () => scope.db.all(barriers.leaveBarriers, { team, user: from, successor: to }),
  });
  // A member who leaves hands over their own folders. Another actor does it by role.
  const given = scope.actor.type === 'user' && scope.actor.id !== from ? roleOnly : {};
  const place =
    tops.length === 0 ? null : await makePlace(scope, to, `Folders of ${leaving?.first_name ?? ''} ${leaving?.last_name ?? ''}`);
  const handed = await scope.db.all(queries.handOverFolders, { team, from, to, place, at: scope.now });
  if (place !== null) await scope.db.all(takeOver, { team, id: place, client: null });
  grantsEndForOwner(scope, 'folder', handed, to);
  await pipelined(
    inherited.flatMap(({ barrier_id: id }) => [
      () => recordAudit(scope, barrierMemberAdded, id, { userId: to, ...given }),
      () => notifyOfSuccessor(scope, id, to),
    ]),
  );
  await pipelined(
    tops.map(
      ({ id, name, barrier_id: barrier }) =>
        () =>
          record(scope, folderMoved, id, { ...eventData(name, { parent: place }), ...given }, isBehindBarrier(barrier)),
    ),
  );
}

/** Creates a folder at the top of the successor’s tree. Adds a number to a name that is in use. */
async function makePlace(scope: Scope, user: string, wanted: string): Promise<string> {
  const plain = wanted.replaceAll('/', '∕').trim();
  for (let number = 1; number <= maxNames; number += 1) {
    const name = number === 1 ? plain : `${plain} (${number})`;
    const made = await scope.db.first(queries.insertTopFolder, {
      team: scope.team,
      id: randomUUIDv7(),
      user,
      name,
      nameKey: nameKey(name),
      at: scope.now,
    });
    if (made) {
      await record(scope, folderCreated, made.id, { name }, false);
      return made.id;
    }
  }
  throw folderProblems.name_taken(`The successor has ${maxNames} folders named “${plain}”. Rename some of them first.`);
}
