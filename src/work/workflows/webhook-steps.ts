import { randomBytes } from 'node:crypto';
import { actorToday } from '#documents';
import { lockForCallback, mayAsk, namedEndpoints } from '#webhooks';
import { record } from '../../platform/journal/record.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { documentOfStep } from './documents.ts';
import { answerRequested, workflowCompleted } from './events.ts';
import { workflowProblems } from './problems.ts';
import type * as queries from './queries.ts';
import { timeoutOf } from './step-timeout.ts';
import { creatorInTeam } from './creator.ts';
import type { ConfiguredStep } from './steps.ts';
import { answersOf, endpointOf, waitsForAnswer } from './webhook-config.ts';

/** The scope that an API client needs for webhook steps that wait for a callback. */
const { scope: opens } = answerRequested;

/** Returns the actor whose rights a step uses: the creator of the workflow, with their current role. */
async function askerOf(scope: Scope, row: queries.WorkflowRow): Promise<Actor | undefined> {
  const creator = creatorInTeam(row);
  return creator === undefined ? undefined : actorToday(scope, creator);
}

/** Locks the endpoints that pending steps may call, and returns them. Until this transaction ends, no user can delete or disable these endpoints. */
export async function endpointsToAsk(scope: Scope, row: queries.WorkflowRow): Promise<ReadonlySet<string>> {
  const waiting = row.steps.filter((step) => step.status === 'pending' && waitsForAnswer(step));
  return waiting.length === 0 ? new Set() : lockEndpoints(scope, row, waiting);
}

/** Locks the endpoints of these steps, and returns those that may be called. */
export async function lockEndpoints(
  scope: Scope,
  row: queries.WorkflowRow,
  steps: readonly queries.StepRow[],
): Promise<ReadonlySet<string>> {
  const actor = await askerOf(scope, row);
  const locked = new Set<string>();
  for (const endpoint of [...new Set(steps.map(endpointOf))].toSorted())
    if (await lockForCallback(scope, actor, { endpoint, scope: opens })) locked.add(endpoint);
  return locked;
}

/** Returns the names of the endpoints that the actor may see, by id. `ofEnd` has the endpoints that subscribe to the end of workflows. */
export async function endpointsOfWorkflows(scope: ReadScope): Promise<{ byId: ReadonlyMap<string, string>; ofEnd: readonly string[] }> {
  const endpoints = await namedEndpoints(scope, scope.actor);
  return {
    byId: new Map(endpoints.map(({ id, name }) => [id, name])),
    ofEnd: endpoints.flatMap(({ name, subscribes }) => (subscribes(workflowCompleted.type) ? [name] : [])),
  };
}

type AskContext = { mayAsk: ReadonlySet<string>; writes: Promise<unknown>[] };

/** Requests a callback from the endpoint of a step that begins, with a nonce for this run. Returns false if the endpoint may not be called. */
export function askEndpoint(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: AskContext): boolean {
  const endpointId = endpointOf(step);
  if (!turn.mayAsk.has(endpointId)) return false;
  const until = timeoutOf(step.config, scope.now);
  // The nonce names the team, because nothing else identifies the team before the signature of the answer is verified.
  const nonce = `${scope.team}.${randomBytes(32).toString('base64url')}`;
  Object.assign(step, { wake_at: until, nonce });
  const data = {
    endpointId,
    stepId: step.id,
    ...(step.name === null ? {} : { name: step.name }),
    documentId: (documentOfStep(row, step) ?? row).document_id,
    nonce,
    answerTo: `/api/v1/workflows/${row.id}/steps/${encodeURIComponent(step.id)}/answer`,
    outcomes: [...answersOf(step)],
    answerBefore: until,
  };
  turn.writes.push(record(scope, answerRequested, row.id, data, row.barred));
  return true;
}

/**
 * Requires that the actor may use the endpoints of these steps, and that `creator` may too, because the calls use the rights of the creator. Errors:
 * 422 `workflow_steps_invalid`, the same for a hidden endpoint and a missing one.
 */
export async function requireEndpoints(scope: Scope, steps: readonly ConfiguredStep[], creator?: string): Promise<void> {
  const named = steps.flatMap((step, at) => (waitsForAnswer(step) ? [{ endpoint: endpointOf(step), at }] : []));
  if (named.length === 0) return;
  const person =
    creator === undefined || ('id' in scope.actor && scope.actor.id === creator) ? undefined : await actorToday(scope, creator);
  for (const { endpoint, at } of named) {
    if (!(await mayAsk(scope, scope.actor, { endpoint, scope: opens })))
      throw noEndpoint(at, 'does not name an active endpoint that you may use');
    if (person && !(await mayAsk(scope, person, { endpoint, scope: opens })))
      throw noEndpoint(at, 'does not name an active endpoint that the creator of the workflow may use');
  }
}

function noEndpoint(at: number, reason: string) {
  const pointer = `/steps/${at}/config/endpointId`;
  return workflowProblems.workflow_steps_invalid(`${pointer} ${reason}.`, {
    errors: [{ name: 'endpointId', pointer, reason, rule: 'endpoint' }],
  });
}
