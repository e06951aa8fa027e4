import { insideOf } from '#access';
import { memberContact } from '#teams';
import type { Scope } from '../../platform/scope.ts';

/**
 * Returns the address of an owner for mails about a folder or its content. Returns undefined if the owner has left or a barrier excludes the owner.
 */
export async function ownerToNotify({ db, team }: Pick<Scope, 'db' | 'team'>, { owner, folder }: { owner: string; folder: string | null }) {
  const isInside =
    folder === null || (await db.first(insideOf, { team, container: folder, users: [owner], when: 'permanently' })) !== undefined;
  return isInside ? db.first(memberContact, { team, id: owner }) : undefined;
}
