import { activeMember } from '#teams';
import { mayAsk } from '#webhooks';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { runDelivered } from '../events.ts';
import { answersForJobs } from '../policy.ts';
import { runProblems } from '../problems.ts';
import type { JobSettings } from '../queries.ts';
import type { JobDelivery } from '../schemas.ts';

/** Rejects a member of `delivery`, with the reason. */
const invalid = (name: keyof JobDelivery, reason: string, rule: string) =>
  runProblems.delivery_invalid(`\`delivery.${name}\` ${reason}.`, {
    errors: [{ name, pointer: `/delivery/${name}`, reason, rule }],
  });

/**
 * Returns the delivery settings of a body. The actor must have the right to use the endpoint. The person must be the owner or an administrator, who
 * can read all runs of the team. Throws 422 `delivery_invalid`, and does not distinguish hidden from missing resources.
 */
export async function readDelivery(
  scope: Scope,
  { mode, endpointId, assignedTo }: JobDelivery,
): Promise<Pick<JobSettings, 'delivery' | 'deliveryEndpoint' | 'deliveryTo'>> {
  const { db, team, actor } = scope;
  if (mode !== 'webhook' && endpointId !== undefined) throw invalid('endpointId', 'is allowed only with the mode `webhook`', 'one-form');
  if (mode !== 'task' && assignedTo !== undefined) throw invalid('assignedTo', 'is allowed only with the mode `task`', 'one-form');
  if (mode === 'webhook') {
    if (endpointId === undefined) throw invalid('endpointId', 'is missing', 'required');
    if (!(await mayAsk(scope, actor, { endpoint: endpointId, scope: runDelivered.scope })))
      throw invalid('endpointId', 'is not an active endpoint that you can use', 'endpoint');
  }
  if (assignedTo !== undefined) {
    const member = isUuid(assignedTo) ? await db.first(activeMember, { team, id: assignedTo.toLowerCase() }) : undefined;
    if (!answersForJobs(member?.role)) throw invalid('assignedTo', 'is neither the owner nor an administrator of the team', 'person');
  }
  return { delivery: mode, deliveryEndpoint: endpointId?.toLowerCase() ?? null, deliveryTo: assignedTo?.toLowerCase() ?? null };
}
