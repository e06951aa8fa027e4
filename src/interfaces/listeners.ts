import { memberRemoved } from '#teams';
import { on } from '../platform/journal/listeners.ts';
import { recordAct } from '../platform/journal/record.ts';
import { interfaceHandedOver } from './events.ts';
import * as queries from './queries.ts';
import { dropSharesOfOwner, dropSharesWith } from './sharing/index.ts';

/** Interfaces of somebody who leaves the team go to their successor; what was shared with them ends. */
export const interfaceListener = on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
  const { team, db, now: at } = scope;
  const handed = await db.locked(queries.lockInterfacesOf, { team, owner: from }, () =>
    db.all(queries.handOverInterfaces, { team, from, to, at }),
  );
  db.send(dropSharesWith, { team, user: from });
  // A share with whoever owns the interface now says nothing any more.
  db.send(dropSharesOfOwner, { team, user: to });
  await Promise.all(handed.map(({ id }) => recordAct(scope, interfaceHandedOver, id, { from, to })));
});
