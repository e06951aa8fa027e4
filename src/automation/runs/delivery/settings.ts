import { activeMember } from '#teams';
import { mayAsk } from '#webhooks';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { runDelivered } from '../events.ts';
import { answersForJobs } from '../policy.ts';
import { runProblems } from '../problems.ts';
import type { Settings } from '../queries.ts';
import type { JobDelivery } from '../schemas.ts';

/** A refusal: which member of `delivery`, and what is wrong with it. */
const invalid = (name: keyof JobDelivery, reason: string, rule: string) =>
  runProblems.delivery_invalid(`\`delivery.${name}\` ${reason}.`, {
    errors: [{ name, pointer: `/delivery/${name}`, reason, rule }],
  });

/**
 * Who is told what came of runs, as a body says it. An endpoint is one that the actor may use, and a person one who may read what came of each run of the
 * team. Errors: 422 `delivery_invalid`, the same for what is hidden and what is not there.
 */
export async function readDelivery(
  scope: Scope,
  { mode, endpointId, assignedTo }: JobDelivery,
): Promise<Pick<Settings, 'delivery' | 'deliveryEndpoint' | 'deliveryTo'>> {
  const { db, team, actor } = scope;
  if (mode !== 'webhook' && endpointId !== undefined) throw invalid('endpointId', 'belongs to the mode `webhook`', 'one-form');
  if (mode !== 'task' && assignedTo !== undefined) throw invalid('assignedTo', 'belongs to the mode `task`', 'one-form');
  if (mode === 'webhook') {
    if (endpointId === undefined) throw invalid('endpointId', 'is missing', 'required');
    if (!(await mayAsk(scope, actor, { endpoint: endpointId, scope: runDelivered.scope })))
      throw invalid('endpointId', 'names no active endpoint that you may use', 'endpoint');
  }
  if (assignedTo !== undefined) {
    const member = isUuid(assignedTo) ? await db.first(activeMember, { team, id: assignedTo.toLowerCase() }) : undefined;
    if (!answersForJobs(member?.role)) throw invalid('assignedTo', 'names neither the owner nor an administrator of the team', 'person');
  }
  return { delivery: mode, deliveryEndpoint: endpointId?.toLowerCase() ?? null, deliveryTo: assignedTo?.toLowerCase() ?? null };
}
