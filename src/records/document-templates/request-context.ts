import type { FastifyRequest } from 'fastify';
import { recordPrivilegedAccess } from '../../platform/http/privileged-access.ts';
import { reading } from '../../platform/http/scope.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { readableTemplate, type AccessibleTemplate } from './access.ts';
import { templateRead } from './events.ts';

/** Returns a template that the caller may use. The journal records reads by role alone. */
export const readAudited = (request: FastifyRequest, id: string): Promise<AccessibleTemplate> =>
  readAuditedAgain(request, id, (_, found) => Promise.resolve(found));

/** Like `readAudited`, but reads the template with another function. If that finds no template, it records no access. */
export async function readAuditedAgain<T>(
  request: FastifyRequest,
  id: string,
  look: (scope: ReadScope, found: AccessibleTemplate) => Promise<T>,
): Promise<T> {
  const scope = reading(request);
  const found = await readableTemplate(scope, id);
  const looked = await look(scope, found);
  await recordPrivilegedAccess(request, templateRead, { id: found.template.id, via: found.access.via });
  return looked;
}
