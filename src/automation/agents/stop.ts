import { record } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { lockedAgent, personOf } from './access.ts';
import { agentsStarted, agentsStopped, agentStarted, agentStopped } from './events.ts';
import { agentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Agent, TeamStop } from './schemas.ts';
import { getAgent } from './service.ts';

/** Stops an agent until it is started; one that is stopped stays so, as it was. Errors: 404. */
export async function stopAgent(scope: Scope, id: string, { reason }: { reason: string }): Promise<Versioned<Agent>> {
  const agent = await lockedAgent(scope, id);
  const at = { team: scope.team, id: agent.id, by: personOf(scope), reason, at: scope.now };
  const [stopped] = await scope.db.all(queries.stopAgent, at);
  if (stopped) await record(scope, agentStopped, agent.id, { reason });
  return getAgent(scope, agent.id);
}

/** Lets an agent run again. Errors: 404, 409 `agent_not_stopped`. */
export async function startAgent(scope: Scope, id: string): Promise<Versioned<Agent>> {
  const agent = await lockedAgent(scope, id);
  const [started] = await scope.db.all(queries.startAgent, { team: scope.team, id: agent.id });
  if (!started) throw agentProblems.agent_not_stopped('This agent itself is not stopped. Read it to see whether all agents are.');
  await record(scope, agentStarted, agent.id, {});
  return getAgent(scope, agent.id);
}

/** Stops all agents of the team until they are started; where they are stopped they stay so, as it was. */
export async function stopTeam(scope: Scope, { reason }: { reason: string }): Promise<Versioned<TeamStop>> {
  const [stopped] = await scope.db.all(queries.stopTeam, { team: scope.team, by: personOf(scope), reason, at: scope.now });
  if (stopped) await record(scope, agentsStopped, scope.team, { reason });
  return getTeamStop(scope);
}

/** Lets the agents of the team run again, save those that are stopped by themselves. Errors: 409 `agent_not_stopped`. */
export async function startTeam(scope: Scope): Promise<Versioned<TeamStop>> {
  const [started] = await scope.db.all(queries.startTeam, { team: scope.team });
  if (!started) throw agentProblems.agent_not_stopped('The agents of the team are not stopped. A single agent can be: read it.');
  await record(scope, agentsStarted, scope.team, {});
  return getTeamStop(scope);
}

/** Whether all agents of the team are stopped, by whom, when and why. */
export async function getTeamStop({ db, team }: ReadScope | Scope): Promise<Versioned<TeamStop>> {
  const stop = await db.first(queries.findTeamStop, { team });
  const value = stop ? { stopped: true, at: stop.stopped_at, by: stop.stopped_by, reason: stop.reason } : { stopped: false };
  return { value, version: undefined };
}
