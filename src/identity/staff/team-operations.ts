import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../platform/scope.ts';
import type { Staff } from './context.ts';
import { by } from './operation-routes.ts';
import { inService, inTeam } from './operations.ts';

/** What domains that staff do not know let them do with a team: by the same session and proof, in one transaction, in the journal of the team. */
export type OverTeams = {
  act<T>(request: FastifyRequest, team: string, why: string, work: (scope: Scope) => Promise<T>): Promise<T>;
  /** The same over all teams at once: what is recorded stands in the journal of the service. */
  ofService<T>(request: FastifyRequest, why: string, work: (scope: Scope) => Promise<T>): Promise<T>;
};

export const overTeams = (staff: Staff): OverTeams => ({
  ofService: (request, why, work) => inService(staff, by(request), why, work),
  act: (request, team, why, work) => inTeam(staff, by(request), { team, why }, work),
});
