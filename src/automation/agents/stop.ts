import { record } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { lockedAgent, personOf } from './access.ts';
import { agentsStarted, agentsStopped, agentStarted, agentStopped } from './events.ts';
import { agentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Agent, TeamStop } from './schemas.ts';
import { getAgent } from './service.ts';

/** Stops an agent until it is started. If it is already stopped, the first stop stays unchanged. Throws 404. */
export async function stopAgent(scope: Scope, id: string, { reason }: { reason: string }): Promise<Versioned<Agent>> {
  const agent = await lockedAgent(scope, id);
  const at = { team: scope.team, id: agent.id, by: personOf(scope), reason, at: scope.now };
  const [stopped] = await scope.db.all(queries.stopAgent, at);
  if (stopped) await record(scope, agentStopped, agent.id, { reason });
  return getAgent(scope, agent.id);
}

/** Starts a stopped agent. Throws 404 and 409 `agent_not_stopped`. */
export async function startAgent(scope: Scope, id: string): Promise<Versioned<Agent>> {
  const agent = await lockedAgent(scope, id);
  const [started] = await scope.db.all(queries.startAgent, { team: scope.team, id: agent.id });
  if (!started)
    throw agentProblems.agent_not_stopped(
      'This agent is not stopped. If all agents of the team are stopped, start them with `POST /ws/api/agents/start`.',
    );
  await record(scope, agentStarted, agent.id, {});
  return getAgent(scope, agent.id);
}

/** Stops all agents of the team until they are started. If they are already stopped, the first stop stays unchanged. */
export async function stopTeam(scope: Scope, { reason }: { reason: string }): Promise<Versioned<TeamStop>> {
  const [stopped] = await scope.db.all(queries.stopTeam, { team: scope.team, by: personOf(scope), reason, at: scope.now });
  if (stopped) await record(scope, agentsStopped, scope.team, { reason });
  return getTeamStop(scope);
}

/** Starts the agents of the team; individually stopped agents stay stopped. Throws 409 `agent_not_stopped`. */
export async function startTeam(scope: Scope): Promise<Versioned<TeamStop>> {
  const [started] = await scope.db.all(queries.startTeam, { team: scope.team });
  if (!started)
    throw agentProblems.agent_not_stopped(
      'The agents of the team are not stopped. Read the agent to see whether it is stopped individually.',
    );
  await record(scope, agentsStarted, scope.team, {});
  return getTeamStop(scope);
}

/** Returns whether all agents of the team are stopped, with the actor, time and reason. */
export async function getTeamStop({ db, team }: ReadScope | Scope): Promise<Versioned<TeamStop>> {
  const stop = await db.first(queries.findTeamStop, { team });
  const value = stop ? { stopped: true, at: stop.stopped_at, by: stop.stopped_by, reason: stop.reason } : { stopped: false };
  return { value, version: undefined };
}
