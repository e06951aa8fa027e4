import { endGrantsOfMember } from '#documents';
import { lockLeaver, memberRemoved } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { taskAssigned } from './events.ts';
import { notifyOfWaiting, releaseClaimsOf } from './groups.ts';
import { handOverTasks, transferTasks } from './leaver-queries.ts';
import { notifyAssigned } from './notify.ts';
import { moveAccess } from './reassign.ts';
import { taskEventData } from './present.ts';
import * as queries from './queries.ts';
import * as locks from './lock-queries.ts';
import { notifyUnassigned } from './notify-unassigned.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * Runs when a member leaves the team. Tasks claimed from groups go back to them. Other open tasks go to their successor, and decisions to a member who may decide. A decision goes neither to all
 * members nor to its creator. If no member is eligible, the decision has no assignee, and owner and administrators get a mail.
 */
export const taskListener = on(memberRemoved, async (scope, event) => {
  const from = event.targetId;
  const { successorId } = event.data;
  // A workflow may assign a task to the member concurrently, so its lock comes first.
  await scope.db.all(lockLeaver, { team: scope.team, id: from });
  await scope.db.all(locks.lockWorkflowsOf, { team: scope.team, user: from });
  await releaseClaimsOf(scope, from);
  scope.db.send(queries.withdrawOwnQuestions, { team: scope.team, user: from, at: scope.now });
  scope.db.send(transferTasks, { team: scope.team, from, to: successorId, at: scope.now });
  const handed = await scope.db.all(handOverTasks, { team: scope.team, from, to: successorId, at: scope.now });
  await endGrantsOfMember(scope, from);
  await pipelined([...handed.map((task) => () => moveAccess(scope, task)), () => notifyAssigned(scope, handed, true)]);
  await Promise.all(
    handed.flatMap((task) => {
      if (task.assigned_to === null) return [];
      const said = { ...taskEventData(task), assignedFrom: from, changes: { assignedTo: { from, to: task.assigned_to } } };
      return [record(scope, taskAssigned, task.id, said, task.barred)];
    }),
  );
  await notifyUnassigned(
    scope,
    handed.filter(({ assigned_to: successor }) => successor === null),
    from,
  );
  await notifyOfWaiting(scope, null);
});
