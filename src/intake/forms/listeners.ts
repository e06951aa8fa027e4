import { grantsEndForOwner } from '#access';
import { memberRemoved } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { interfaceHandedOver } from './events.ts';
import * as queries from './queries.ts';

/** Transfers the forms of a departing member to the successor. */
export const interfaceListener = on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
  const { team, db, now: at } = scope;
  const handed = await db.locked(queries.lockInterfacesOf, { team, from }, () =>
    db.all(queries.handOverInterfaces, { team, from, to, at }),
  );
  grantsEndForOwner(scope, 'form', handed, to);
  await Promise.all(handed.map(({ id }) => recordAudit(scope, interfaceHandedOver, id, { from, to })));
});
