import { randomUUIDv7 } from 'node:crypto';
import { type AccessList, accessOf, refuseOneself } from '#folders';
import { holdMember } from '#teams';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import { byRole } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { readableTemplate, type Reached } from './access.ts';
import { templateShared, templateUnshared } from './events.ts';
import { mayManage, mayShare } from './policy.ts';
import { presentShare } from './present.ts';
import type { Grant, ShareBody } from './schemas.ts';
import * as queries from './share-queries.ts';

/** Who may see a template, why and since when, and what was done with it by role alone: for those who manage it. */
export async function templateAccess(scope: ReadScope, id: string): Promise<AccessList> {
  const { template, access } = await readableTemplate(scope, id);
  if (!mayManage(access)) throw problems.forbidden('Only the owner of a template and administrators see who has access to it.');
  const shares = await scope.db.all(queries.listShares, { team: scope.team, template: template.id });
  const thing = { id: template.id, owner: template.user_id, since: template.created_at, folder: null };
  return accessOf(scope, thing, shares.map(presentShare));
}

/**
 * Shares a template with a member or the whole team; a second share with the same changes the first. Errors: 403, 404
 * `member_not_found`, 409 `shared_with_oneself`.
 */
export async function shareTemplate(scope: Scope, id: string, input: ShareBody): Promise<Grant> {
  if ((input.userId === undefined) === (input.team === undefined))
    throw problems.validation_failed('Name one of `userId` and `team`: a template is shared with a person or with the whole team.', {
      errors: [{ name: 'userId', pointer: '/userId', reason: 'or `team` must be given, and not both', rule: 'required' }],
    });
  const { template, access } = await sharable(scope, id);
  refuseOneself(scope, input.userId);
  const user = input.userId?.toLowerCase() ?? null;
  const member = user === null || !isUuid(user) ? undefined : await scope.db.first(holdMember, { team: scope.team, id: user });
  if (user !== null && (!member || user === template.user_id))
    throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
  if (scope.actor.type === 'system') throw new Error('a share needs somebody who gives it');
  const [made] = await scope.db.all(queries.putShare, {
    team: scope.team,
    id: randomUUIDv7(),
    template: template.id,
    user,
    access: input.access,
    by: scope.actor.id,
    at: scope.now,
  });
  if (!made) throw new Error('a share was not written');
  await recordAct(scope, templateShared, template.id, { ...withWhom(made), access: made.access, ...byRole('all', access) });
  return presentShare(made);
}

/** Ends a share. Errors: 403, 404. */
export async function unshareTemplate(scope: Scope, id: string, grantId: string): Promise<void> {
  const { template, access } = await sharable(scope, id);
  const [ended] = await scope.db.all(queries.deleteShare, { team: scope.team, template: template.id, id: pathId(grantId, 'grant') });
  if (!ended) throw notFound('grant of this template');
  await recordAct(scope, templateUnshared, template.id, { ...withWhom(ended), ...byRole('all', access) });
}

const withWhom = ({ user_id: userId }: queries.ShareRow) => (userId === null ? { team: true } : { userId });

async function sharable(scope: Scope, id: string): Promise<Reached> {
  const found = await readableTemplate(scope, id);
  if (!mayShare(scope.actor, found.access))
    throw problems.forbidden('Only the owner of a template and administrators say who else sees it; an API client gives nobody anything.');
  return found;
}
