import { memberRemoved } from '#teams';
import type { TObject } from 'typebox';
import type { Statement } from '../../platform/database/statement.ts';
import { inOrder } from '../../platform/database/together.ts';
import type { Act } from '../../platform/journal/acts.ts';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { byRoleAlone } from '../../platform/reasons.ts';
import type { handedOverMembers } from './events.ts';
import type { Grants } from './queries.ts';

type Leaving = {
  grants: Grants;
  /** Gives what was one person's to another. */
  handOver: Statement<{ team: string; from: string; to: string; at: Date }, { id: string }>;
  handedOver: Act<TObject<typeof handedOverMembers>, never>;
};

/** The things of somebody who leaves go to their successor, and what was shared with them ends. */
export const handsOverShared = ({ grants, handOver, handedOver }: Leaving): EventListener =>
  on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
    const { team } = scope;
    const { handed } = await inOrder({
      dropped: () => scope.db.all(grants.dropWith, { team, user: from }),
      handed: () => scope.db.all(handOver, { team, from, to, at: scope.now }),
      own: () => scope.db.all(grants.dropOwn, { team, user: to }),
    });
    // Whoever leaves gives what is theirs; of somebody else's it is their role in the team that does.
    const given = scope.actor.type === 'user' && scope.actor.id !== from ? byRoleAlone : {};
    await inOrder(
      handed.map(
        ({ id }) =>
          () =>
            recordAct(scope, handedOver, id, { from, to, ...given }),
      ),
    );
  });
