import {
  type AccessList,
  findGrant,
  presentGrant,
  principalOf,
  putShare,
  refuseOneself,
  type Revoke,
  type RevokedGrant,
  revokeShare,
  type ShareBody,
  sharesOf,
} from '#access';
import { accessOf, dependentGrants, revokedGrant } from '#folders';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { readable, type AccessibleDocument } from './access.ts';
import { accessEnded, accessGranted, documentShared } from './events.ts';
import { aboutGrant, endGrantsBy } from './grants.ts';
import { keepDocument } from './queries.ts';

type DocumentGrant = AccessList['grants'][number];
const kind = { type: 'document', noun: 'document' } as const;

/** Returns who has access to a document, with reason and start, and the privileged access by role. Errors: 403, 404. */
export async function documentAccess(scope: ReadScope, id: string): Promise<AccessList> {
  const { document } = await manageable(scope, id);
  const grants = await sharesOf(scope, kind.type, document.id);
  const resource = { id: document.id, owner: document.user_id, since: document.created_at, folder: document.folder_id };
  return accessOf(scope, resource, grants.map(presentGrant));
}

/**
 * Shares a single document with a member, a group or the whole team. A second share with the same principal replaces the first. Errors: 400, 403,
 * 404 `member_not_found`, `group_not_found`, 409 `self_share_not_allowed`.
 */
export async function shareDocument(scope: Scope, id: string, input: ShareBody): Promise<DocumentGrant> {
  const { document, access } = await manageable(scope, id);
  refuseOneself(scope, input.userId);
  const relations = [input.access === 'write' ? 'editor' : 'viewer'];
  const row = await putShare(scope, { ...kind, id: document.id, owner: document.user_id, hold: keepDocument }, input, relations);
  const role = access.byRole('share');
  await recordAudit(scope, accessGranted, document.id, { ...aboutGrant(row), ...role });
  await record(scope, documentShared, document.id, { ...principalOf(row), access: input.access, ...role });
  return presentGrant(row);
}

/**
 * Revokes a grant of a document: a share, or the access by a task, which then loses its assignee. Shares of its folder are revoked at the folder.
 * `cascade` also ends the task grants by the principal of the share. Errors: 403, 404.
 */
export async function revokeGrant(scope: Scope, id: string, grantId: string, { cascade = false }: Revoke = {}): Promise<RevokedGrant> {
  const { document, access } = await manageable(scope, id);
  const one = { ...kind, id: document.id };
  const row = await findGrant(scope, one, grantId);
  // Listeners lock the task of a grant before the grant, as the end of a task does.
  await recordAudit(scope, accessEnded, document.id, { ...aboutGrant(row), revoked: true, ...access.byRole('share') });
  await revokeShare(scope, one, grantId);
  if (row.source === 'task') return { dependentGrants: [] };
  const of = { document: document.id };
  if (cascade) await endGrantsBy(scope, principalOf(row), of);
  return revokedGrant(cascade ? [] : await dependentGrants(scope, principalOf(row), of));
}

/** Returns a document that the actor may share. Errors: 403, 404. */
export async function manageable(scope: ReadScope | Scope, id: string): Promise<AccessibleDocument> {
  const found = await readable(scope, id);
  if (!found.access.can('share'))
    throw problems.forbidden('Only the owner of a document and administrators may see and decide who has access to it. Ask one of them.');
  return found;
}
