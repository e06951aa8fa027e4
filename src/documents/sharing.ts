import {
  type AccessList,
  type ShareBody,
  type GrantRow as ShareRow,
  presentGrant,
  principalOf,
  putShare,
  refuseOneself,
  type Revoke,
  revokeShare,
  sharesOf,
} from '#access';
import { accessOf } from '#folders';
import { together } from '../platform/database/together.ts';
import { pathId } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { readable, type Reached } from './access.ts';
import { accessEnded, accessGranted, documentShared } from './events.ts';
import { deleteGrant, type GrantRow, listGrants } from './grant-queries.ts';
import { endGrantsBy, journalEnd } from './grants.ts';
import { keepDocument } from './queries.ts';

type Grant = AccessList['grants'][number];
const kind = { type: 'document', noun: 'document' } as const;

/** Who has access to a document, why and since when, and the readings by role. Errors: 403, 404. */
export async function documentAccess(scope: ReadScope, id: string): Promise<AccessList> {
  const { document } = await manageable(scope, id);
  const { shares, given } = await together({
    shares: () => sharesOf(scope, kind.type, document.id),
    given: () => scope.db.all(listGrants, { team: scope.team, document: document.id }),
  });
  const resource = { id: document.id, owner: document.user_id, since: document.created_at, folder: document.folder_id };
  return accessOf(scope, resource, [...shares.map(presentGrant), ...given.map(present)]);
}

/**
 * Shares a document by itself with a member, a group or the whole team. A second share with the same principal replaces the first.
 * Errors: 400, 403, 404 `member_not_found`, `group_not_found`, 409 `shared_with_oneself`.
 */
export async function shareDocument(scope: Scope, id: string, input: ShareBody): Promise<Grant> {
  const { document, access } = await manageable(scope, id);
  refuseOneself(scope, input.userId);
  const relations = [input.access === 'write' ? 'editor' : 'viewer'];
  const row = await putShare(scope, { ...kind, id: document.id, owner: document.user_id, hold: keepDocument }, input, relations);
  const role = access.byRole('share');
  await recordAct(scope, accessGranted, document.id, { ...aboutShare(row), ...role });
  await record(scope, documentShared, document.id, { ...principalOf(row), access: input.access, ...role });
  return presentGrant(row);
}

/**
 * Ends a grant of a document: a share, or the access by a task. Shares of its folder end there. `cascade` also ends what the principal
 * of the share granted. Errors: 403, 404.
 */
export async function revokeGrant(scope: Scope, id: string, grantId: string, { cascade }: Revoke = {}): Promise<void> {
  const { document, access } = await manageable(scope, id);
  const role = access.byRole('share');
  const [ended] = await scope.db.all(deleteGrant, { team: scope.team, document: document.id, id: pathId(grantId, 'grant') });
  if (ended) {
    await journalEnd(scope, ended, role);
    return;
  }
  const row = await revokeShare(scope, { ...kind, id: document.id }, grantId);
  await recordAct(scope, accessEnded, document.id, { ...aboutShare(row), ...role });
  if (cascade) await endGrantsBy(scope, principalOf(row), { document: document.id });
}

const aboutShare = (row: ShareRow) => ({
  ...principalOf(row),
  access: presentGrant(row).access,
  reason: 'share',
  grantedBy: row.granted_by,
});

async function manageable(scope: ReadScope | Scope, id: string): Promise<Reached> {
  const found = await readable(scope, id);
  if (!found.access.can('share'))
    throw problems.forbidden('Only the owner of a document and administrators see and decide who has access to it.');
  return found;
}

function present(row: GrantRow): Grant {
  return {
    id: row.id,
    userId: row.user_id,
    access: row.access,
    reason: row.reason,
    taskId: row.reason_id,
    ...(row.granted_by === null ? {} : { grantedBy: row.granted_by }),
    since: row.created_at,
    ...(row.version === null ? {} : { version: row.version }),
  };
}
