import type { RequiresProvider } from '#accounts';
import { isBound } from './queries.ts';

/** Whether a member must sign in through a provider of the team. */
export const requiresProvider: RequiresProvider = async (scope, { id, email }) => {
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase();
  return (await scope.db.first(isBound, { team: scope.team, account: id, domain }))?.bound === true;
};
