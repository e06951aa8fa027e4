import type { MadeBy } from '#accounts';
import * as queries from './queries.ts';

/** Reports the active connections that a user created, because their providers decide who can sign in. */
export const connectionsMadeBy: MadeBy = async (scope, account) => {
  const found = await scope.db.all(queries.connectionsBy, { team: scope.team, account });
  return found.map(({ issuer }) => ({ kind: 'connection', name: issuer, now: 'goes on' }));
};
