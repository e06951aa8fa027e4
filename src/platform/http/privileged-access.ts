import type { FastifyRequest } from 'fastify';
import { boundedCache } from '../bounded-cache.ts';
import type { TObject } from 'typebox';
import type { AuditAction } from '../journal/audit-actions.ts';
import { recordAudit } from '../journal/record.ts';
import { roleOnly, type Via } from '../access-reason.ts';
import { writing } from './scope.ts';

const hourMs = 3_600_000;
/** The reads that this node has recorded within the last hour. */
const said = boundedCache<true>(10_000, { ttl: hourMs });

/**
 * Records in the journal that a member read a resource to which only the role of the member gives access. Records the same member and resource once
 * per hour and node, because a list is read page by page.
 */
export async function recordPrivilegedAccess(
  request: FastifyRequest,
  act: AuditAction<TObject, never>,
  { id, via }: { id: string; via?: Via | undefined },
): Promise<void> {
  if (via === 'role') await recordPrivilegedReads(request, act, [id]);
}

/**
 * Like {@link recordPrivilegedAccess}, for the resources of a list to which only the role of the member gives access.
 */
export async function recordPrivilegedReads(
  request: FastifyRequest,
  act: AuditAction<TObject, never>,
  ids: readonly string[],
): Promise<void> {
  const actor = request.principal?.actor.id;
  const keyOf = (id: string) => `${act.type} ${actor} ${id}`;
  const unsaid = ids.filter((id) => !said.has(keyOf(id)));
  if (actor === undefined || unsaid.length === 0) return;
  await writing(request, async (scope) => {
    for (const id of unsaid) await recordAudit(scope, act, id, roleOnly);
  });
  for (const id of unsaid) said.set(keyOf(id), true);
}
