import type { MadeBy } from '#accounts';
import * as queries from './queries.ts';

/** The living connections that a person has made: their providers decide who gets in. */
export const connectionsMadeBy: MadeBy = async (scope, account) => {
  const found = await scope.db.all(queries.connectionsBy, { team: scope.team, account });
  return found.map(({ issuer }) => ({ kind: 'connection', name: issuer, now: 'goes on' }));
};
