import { type AccessList, refuseOneself } from '#access';
import { accessOf } from '#folders';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import { byRole } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { readable, type Reached } from './access.ts';
import { documentShared } from './events.ts';
import { deleteGrant, type GrantRow, type JudgedGrant, listGrants } from './grant-queries.ts';
import { give, journalEnd } from './grants.ts';

type Grant = AccessList['grants'][number];

/** Who may see a document, why and since when, and what was done with it by role alone: for its owner and administrators. */
export async function documentAccess(scope: ReadScope, id: string): Promise<AccessList> {
  const { document } = await manageable(scope, id);
  const given = await scope.db.all(listGrants, { team: scope.team, document: document.id });
  const thing = { id: document.id, owner: document.user_id, since: document.created_at, folder: document.folder_id };
  return accessOf(scope, thing, given.map(present));
}

/** Gives a document by itself to a member; given again it changes what was given. Errors: 403, 404 `member_not_found`, 409. */
export async function shareDocument(scope: Scope, id: string, input: { userId: string; access: 'read' | 'write' }): Promise<Grant> {
  const { document, access } = await manageable(scope, id);
  refuseOneself(scope, input.userId);
  const given = byRole('all', access);
  const wanted = {
    documentId: document.id,
    userId: input.userId,
    access: input.access,
    reason: 'share' as const,
    reasonId: null,
    giverId: actorId(scope),
  };
  if (isUuid(input.userId) && input.userId !== document.user_id) {
    const made = await give(scope, wanted, given);
    if (made) {
      await record(scope, documentShared, document.id, { userId: input.userId, access: input.access, ...given });
      return present(made);
    }
    const held = (await scope.db.all(listGrants, { team: scope.team, document: document.id })).find(
      ({ user_id: user, reason }) => user === input.userId && reason === 'share',
    );
    if (held) return present(held);
  }
  throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
}

/** Ends something that was given of a document, whatever for. Shares of its folder are ended there. */
export async function revokeGrant(scope: Scope, id: string, grantId: string): Promise<void> {
  const { document, access } = await manageable(scope, id);
  const [ended] = await scope.db.all(deleteGrant, { team: scope.team, document: document.id, id: pathId(grantId, 'grant') });
  if (!ended) throw notFound('grant of this document');
  await journalEnd(scope, ended, byRole('all', access));
}

async function manageable(scope: ReadScope | Scope, id: string): Promise<Reached> {
  const found = await readable(scope, id);
  if (found.access.level !== 'all')
    throw problems.forbidden('Only the owner of a document and administrators see and decide who has access to it.');
  return found;
}

const actorId = ({ actor }: Scope): string | null => (actor.type === 'system' ? null : actor.id);

function present(row: GrantRow | JudgedGrant): Grant {
  return {
    id: row.id,
    userId: row.user_id,
    access: row.access,
    reason: row.reason,
    ...(row.reason_id === null ? {} : { taskId: row.reason_id }),
    ...(row.granted_by === null ? {} : { grantedBy: row.granted_by }),
    since: row.created_at,
    ...(row.version === null ? {} : { version: row.version }),
    ...('opens' in row && !row.opens ? { inactive: true as const } : {}),
  };
}
