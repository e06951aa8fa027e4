import { randomUUIDv7 } from 'node:crypto';
import { holdMember } from '#teams';
import type { Static, TObject } from 'typebox';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import type { Act } from '../../platform/journal/acts.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import { byRole } from '../../platform/reasons.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { AccessList } from '../schemas.ts';
import { accessOf, refuseOneself } from '../shares.ts';
import type { sharedMembers, unsharedMembers } from './events.ts';
import { mayManage, mayShare, type SharedAccess } from './policy.ts';
import type { GrantRow, Grants } from './queries.ts';
import type { ShareBody } from './schemas.ts';

/** A thing with what the actor may do with it. */
type Reached = { thing: { id: string; user_id: string; created_at: string }; access: SharedAccess };

/** One kind of thing that lies in no folder and is shared as a whole. */
export type Kind = {
  /** What sentences call it. */
  noun: string;
  grants: Grants;
  /** One that the actor may read; the same 404 for one that is missing or not theirs to see. */
  readable: (scope: ReadScope | Scope, id: string) => Promise<Reached>;
  shared: Act<TObject<typeof sharedMembers>, never>;
  unshared: Act<TObject<typeof unsharedMembers>, never>;
};

type Grant = AccessList['grants'][number];

export type Sharing = {
  /** Who has a thing, why and since when, and what was done with it by role alone: for those who manage it. Errors: 403, 404. */
  access(scope: ReadScope, id: string): Promise<AccessList>;
  /**
   * Shares a thing with a member or the whole team; a second share with the same changes the first. Errors: 403, 404
   * `member_not_found`, 409 `shared_with_oneself`.
   */
  share(scope: Scope, id: string, input: ShareBody): Promise<Grant>;
  /** Ends a share. Errors: 403, 404. */
  unshare(scope: Scope, id: string, grantId: string): Promise<void>;
};

/** Sharing of one kind of thing. */
export function openSharing({ noun, grants, readable, shared, unshared }: Kind): Sharing {
  async function sharable(scope: Scope, id: string): Promise<Reached> {
    const found = await readable(scope, id);
    if (!mayShare(scope.actor, found.access))
      throw problems.forbidden(`Only the owner of a ${noun} and administrators say who else sees it; an API client gives nobody anything.`);
    return found;
  }

  return {
    async access(scope, id) {
      const { thing, access } = await readable(scope, id);
      if (!mayManage(access)) throw problems.forbidden(`Only the owner of a ${noun} and administrators see who has access to it.`);
      const shares = await scope.db.all(grants.list, { team: scope.team, thing: thing.id });
      return accessOf(scope, { id: thing.id, owner: thing.user_id, since: thing.created_at, folder: null }, shares.map(presentGrant));
    },

    async share(scope, id, input) {
      if ((input.userId === undefined) === (input.team === undefined))
        throw problems.validation_failed(`Name one of \`userId\` and \`team\`: a ${noun} is shared with a person or with the whole team.`, {
          errors: [{ name: 'userId', pointer: '/userId', reason: 'or `team` must be given, and not both', rule: 'required' }],
        });
      const { thing, access } = await sharable(scope, id);
      refuseOneself(scope, input.userId);
      const user = input.userId?.toLowerCase() ?? null;
      const member = user === null || !isUuid(user) ? undefined : await scope.db.first(holdMember, { team: scope.team, id: user });
      if (user !== null && (!member || user === thing.user_id))
        throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
      if (scope.actor.type === 'system') throw new Error('a share needs somebody who gives it');
      const [made] = await scope.db.all(grants.put, {
        team: scope.team,
        id: randomUUIDv7(),
        thing: thing.id,
        user,
        access: input.access,
        by: scope.actor.id,
        at: scope.now,
      });
      // Deleted since it was looked at.
      if (!made) throw notFound(noun);
      await recordAct(scope, shared, thing.id, { ...withWhom(made), access: made.access, ...byRole('all', access) });
      return presentGrant(made);
    },

    async unshare(scope, id, grantId) {
      const { thing, access } = await sharable(scope, id);
      const [ended] = await scope.db.all(grants.end, { team: scope.team, thing: thing.id, id: pathId(grantId, 'grant') });
      if (!ended) throw notFound(`grant of this ${noun}`);
      await recordAct(scope, unshared, thing.id, { ...withWhom(ended), ...byRole('all', access) });
    },
  };
}

const withWhom = ({ user_id: userId }: GrantRow): Static<TObject<typeof unsharedMembers>> =>
  userId === null ? { team: true } : { userId };

function presentGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    ...(row.user_id === null ? { team: true as const } : { userId: row.user_id }),
    access: row.access,
    reason: 'share',
    grantedBy: row.created_by,
    since: row.created_at,
  };
}
