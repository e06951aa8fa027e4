import { usableAgent } from '#agents';
import { actorToday } from '#documents';
import { Problem } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { documentOfStep } from './documents.ts';
import { creatorInTeam } from './creator.ts';
import { endStep } from './ending.ts';
import { recordStepFailure } from './step-failure.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import { cachedRow } from './transaction-cache.ts';
import { workflowProblems } from './problems.ts';
import * as stepQueries from './step-queries.ts';
import type * as queries from './queries.ts';
import type { ConfiguredStep } from './steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** A step for an agent. */
export type AgentStep = {
  id: string;
  agentId: string;
  message: string;
  /** The possible outcomes of the step; undefined if it does not limit them. */
  outcomes: string[] | undefined;
  workflow: { name: string; documentId: string };
  /** Whether a barrier exists around the document. Barriers exclude agents. */
  barred: boolean;
  /** The user whose rights the agent uses: the creator of the workflow, if a person created it and still owns it. */
  creator: string | undefined;
};

function rowsOf(row: queries.WorkflowRow): stepQueries.AgentStepRow[] {
  return row.steps.flatMap(({ type, id, config }) =>
    type === 'agent' ? [{ ...row, id, config, document_id: (documentOfStep(row, { config }) ?? row).document_id }] : [],
  );
}

/** Returns the agent steps of a workflow. */
export async function agentStepsOf({ db, team }: Pick<ReadScope | Scope, 'db' | 'team'>, workflow: string): Promise<AgentStep[]> {
  const known = cachedRow({ db }, workflow);
  const rows = known ? rowsOf(known) : await db.all(stepQueries.agentSteps, { team, id: workflow });
  return rows.map(({ id, config: { agentId, message, outcomes }, name, document_id: documentId, ...row }) => ({
    id,
    agentId: String(agentId),
    message: String(message),
    outcomes: Array.isArray(outcomes) ? outcomes.map(String) : undefined,
    workflow: { name, documentId },
    creator: row.created_by_type === 'user' ? creatorInTeam(row) : undefined,
    barred: row.barred,
  }));
}

/**
 * Ends an agent step. With an outcome the workflow continues; after a failure an administrator decides about the step. Does nothing if the step has
 * ended or restarted, or if the workflow is paused. The caller must call it again after the workflow resumes.
 */
export async function agentStepOver(
  scope: Scope,
  { workflow, step: id, begun }: { workflow: string; step: string; begun: string },
  end: { outcome: string } | { failed: string },
): Promise<void> {
  const row = await loadWorkflowForUpdate(scope, workflow);
  const step = row?.steps.find((one) => one.id === id);
  if (!row || step?.status !== 'active' || step.type !== 'agent' || step.started_at !== begun || row.status !== 'active') return;
  if ('outcome' in end)
    await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome: end.outcome }), () => advance(scope, row, [step.id])]);
  else await recordStepFailure(scope, row, step, end.failed);
}

/**
 * Requires that the actor may use the agents of these steps, and that `creator` may too, because the runs use the rights of the creator. `null`: an
 * API client created the workflow. Errors: 422 `workflow_steps_invalid`, equal for a hidden agent and a missing one.
 */
export async function requireAgents(scope: Scope, steps: readonly ConfiguredStep[], creator?: string | null): Promise<void> {
  const named = steps.flatMap(({ type, config }, at) => (type === 'agent' ? [{ id: String(config.agentId), at }] : []));
  if (named.length === 0) return;
  const people = [scope.actor];
  if (creator === null) throw noAgent(named[0]?.at ?? 0, 'needs a person as creator, and a program created the workflow');
  if (creator !== undefined && !('id' in scope.actor && scope.actor.id === creator)) {
    const person = await actorToday(scope, creator);
    if (!person) throw noAgent(named[0]?.at ?? 0, 'needs the creator of the workflow, who has left the team');
    people.push(person);
  }
  for (const { id, at } of named)
    for (const person of people) {
      const may = await mayUseAgent(scope, person, id);
      if (!may)
        throw noAgent(
          at,
          person === scope.actor
            ? 'does not name an agent that you may use'
            : 'does not name an agent that the creator of the workflow may use',
        );
    }
}

async function mayUseAgent({ db, team }: Scope, actor: Actor, id: string): Promise<boolean> {
  if (actor.type !== 'user' || actor.role === 'viewer') return false;
  try {
    await usableAgent({ db, team, actor }, id);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false;
    throw error;
  }
}

function noAgent(at: number, reason: string) {
  const pointer = `/steps/${at}/config/agentId`;
  return workflowProblems.workflow_steps_invalid(`${pointer} ${reason}.`, {
    errors: [{ name: 'agentId', pointer, reason, rule: 'agent' }],
  });
}
