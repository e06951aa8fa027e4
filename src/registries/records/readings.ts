import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { writing } from '../../platform/http/scope.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { byRoleAlone } from '../../platform/reasons.ts';
import type { Reached } from '../access.ts';
import { registryRead } from '../events.ts';

const hourMs = 3_600_000;
/** Who read which registry within the hour, as far as this node knows. */
const said = new LRUCache<string, true>({ max: 10_000, ttl: hourMs });

/**
 * Has the journal say that somebody read records that their role alone opens to them: of one person and registry once an hour on each
 * node, since a list is read page by page.
 */
export async function noteReading(request: FastifyRequest, { registry, access }: Reached): Promise<void> {
  const actor = request.principal?.actor.id;
  if (access.via !== 'role' || actor === undefined) return;
  const key = `${actor} ${registry.id}`;
  if (said.has(key)) return;
  await writing(request, (scope) => recordAct(scope, registryRead, registry.id, byRoleAlone));
  said.set(key, true);
}
