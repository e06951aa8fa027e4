import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../platform/scope.ts';
import type { Staff } from './context.ts';
import { by } from './operation-routes.ts';
import { inService, inTeam } from './operations.ts';

/**
 * Lets other domains offer staff operations on a team, with the same session and credential check.
 * Each runs in one transaction and is recorded in the journal of the team.
 */
export type OverTeams = {
  act<T>(request: FastifyRequest, team: string, why: string, work: (scope: Scope) => Promise<T>): Promise<T>;
  /** Like `act`, over all teams, recorded in the journal of the service. */
  ofService<T>(request: FastifyRequest, why: string, work: (scope: Scope) => Promise<T>): Promise<T>;
};

export const overTeams = (staff: Staff): OverTeams => ({
  ofService: (request, why, work) => inService(staff, by(request), why, work),
  act: (request, team, why, work) => inTeam(staff, by(request), { team, why }, work),
});
