import { memberRemoved } from '#teams';
import { inOrder } from '../platform/database/together.ts';
import { on } from '../platform/journal/listeners.ts';
import { recordAct } from '../platform/journal/record.ts';
import { byRoleAlone } from '../platform/reasons.ts';
import { templateHandedOver } from './events.ts';
import { handOverTemplates } from './queries.ts';
import { dropOwnShares, dropSharesWith } from './share-queries.ts';

/** The templates of somebody who leaves go to their successor, and what was shared with them ends. */
export const templateListener = on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
  const { team } = scope;
  const { handed } = await inOrder({
    dropped: () => scope.db.all(dropSharesWith, { team, user: from }),
    handed: () => scope.db.all(handOverTemplates, { team, from, to, at: scope.now }),
    own: () => scope.db.all(dropOwnShares, { team, user: to }),
  });
  // Whoever leaves gives what is theirs; of somebody else's it is their role in the team that does.
  const given = scope.actor.type === 'user' && scope.actor.id !== from ? byRoleAlone : {};
  await inOrder(
    handed.map(
      ({ id }) =>
        () =>
          recordAct(scope, templateHandedOver, id, { from, to, ...given }),
    ),
  );
});
