import { lockSeen } from '../platform/database/lock-seen.ts';
import type { Reader } from '../platform/database/database.ts';
import { notFound, pathId } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import type { Actor, Scope } from '../platform/scope.ts';
import type { VersionCheck } from '../platform/versioned.ts';
import { accessToShared, mayManage, mayWrite, type SharedAccess } from '#folders';
import { lockTemplate, type ReachedTemplate, reachTemplate } from './queries.ts';

type Looking = { db: Reader; team: string; actor: Actor };

/** A template with what the actor may do with it. */
export type Reached = { template: ReachedTemplate; access: SharedAccess };

/** Who looks, as the statements take it: programs are given nothing. */
export const viewerOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

/** A template that the actor may use; the same 404 for one that is missing or not theirs to see. */
export async function readableTemplate({ db, team, actor }: Looking, id: string): Promise<Reached> {
  const template = await db.first(reachTemplate, { team, id: pathId(id, 'document template'), user: viewerOf(actor) });
  const access = template && accessToShared(actor, template);
  if (!template || !access) throw notFound('document template');
  return { template, access };
}

/** One that the actor may change, before it is locked. Errors: 403, 404, 412. */
export async function writableTemplate(scope: Looking, id: string, expect: VersionCheck): Promise<Reached> {
  const found = await readableTemplate(scope, id);
  if (!mayWrite(found.access)) throw problems.forbidden('This template is shared with you to use it. Ask its owner for write access.');
  expect(found.template.version);
  return found;
}

/** The same, locked and read under the lock. Errors: 403, 404, 412. */
export function lockedTemplate(scope: Scope, id: string, expect: VersionCheck): Promise<Reached> {
  const at = { team: scope.team, id: pathId(id, 'document template') };
  return lockSeen(scope.db, lockTemplate, at, () => writableTemplate(scope, id, expect));
}

/** One that the actor may delete, locked. Errors: 403, 404, 412. */
export async function manageableTemplate(scope: Scope, id: string, expect: VersionCheck): Promise<Reached> {
  const at = { team: scope.team, id: pathId(id, 'document template') };
  return lockSeen(scope.db, lockTemplate, at, async () => {
    const found = await readableTemplate(scope, id);
    if (!mayManage(found.access)) throw problems.forbidden('Only the owner of a template and administrators delete it.');
    expect(found.template.version);
    return found;
  });
}
