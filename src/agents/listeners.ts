import { memberRemoved } from '#teams';
import { on } from '../platform/journal/listeners.ts';
import { dropSharesWith } from './share-queries.ts';

/** What somebody who leaves was given ends. */
export const agentListener = on(memberRemoved, async (scope, { targetId: user }) => {
  scope.db.send(dropSharesWith, { team: scope.team, user });
});
