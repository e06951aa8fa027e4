import { lockSeen } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessTo, callerOf, type ResourceName, type ResourceAccess, viewable } from '#access';
import { type ReachedTemplate, templates, templatesNamed } from './queries.ts';

/** A template and the actor’s access to it. */
export type AccessibleTemplate = { template: ReachedTemplate; access: ResourceAccess<'template'> };

/** Returns a template that the actor may use. Errors: 404 if it is missing or not visible to the actor. */
export async function readableTemplate({ db, team, actor }: AccessContext, id: string): Promise<AccessibleTemplate> {
  const template = await db.first(templates.find, { team, id: pathId(id, 'document template'), ...callerOf(actor) });
  const access = template && accessTo(actor, 'template', template);
  if (!template || !access) throw notFound('document template');
  return { template, access };
}

/** Returns the names of the templates among these identifiers that the actor may use. */
export const templateNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  viewable(actor, 'template', await db.all(templatesNamed, { team, ids, ...callerOf(actor) }));

/** Returns a template that the actor may change, without a lock. Errors: 403, 404, 412. */
export async function writableTemplate(scope: AccessContext, id: string, expect: VersionCheck): Promise<AccessibleTemplate> {
  const found = await readableTemplate(scope, id);
  if (!found.access.can('edit')) throw problems.forbidden('You may use this template but not change it. Ask its owner for write access.');
  expect(found.template.version);
  return found;
}

/** Locks a template that the actor may change, and reads it under the lock. Errors: 403, 404, 412. */
export function lockedTemplate(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleTemplate> {
  const at = { team: scope.team, id: pathId(id, 'document template') };
  return lockSeen(scope.db, templates.lock, at, () => writableTemplate(scope, id, expect));
}

/** Locks a template that the actor may delete. Errors: 403, 404, 412. */
export async function manageableTemplate(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleTemplate> {
  const at = { team: scope.team, id: pathId(id, 'document template') };
  return lockSeen(scope.db, templates.lock, at, async () => {
    const found = await readableTemplate(scope, id);
    if (!found.access.can('manage'))
      throw problems.forbidden('Only the owner of a template and administrators may delete it. Ask one of them.');
    expect(found.template.version);
    return found;
  });
}
