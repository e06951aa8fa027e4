import { randomUUIDv7 } from 'node:crypto';
import { rows, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows of groups for the walks. */

const groups = '/api/v1/groups';
const body = () => ({ name: `Group ${randomUUIDv7()}` });
const persons = 'y y y · · · y · y y 403 403';
const managers = 'y y 403 · · · 403 · 403 403 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const groupAccess = rows(groups, {
  'GET /': thing('group', 's s s · · · s · s s 403 403'),
  'POST /': thing('group', managers, body),
  'GET /{id}': thing('group', persons),
  'PATCH /{id}': thing('group', managers, () => ({ description: 'New' })),
  'DELETE /{id}': thing('group', managers),
  'GET /{id}/uses': thing('group', managers),
  'GET /{id}/members': thing('group', persons),
  'POST /{id}/members': thing('group', managers, ({ people }) => ({ userId: people.member.id })),
  'DELETE /{id}/members/{userId}': thing('group', managers),
});

const group = (world: ActWorld) => world.made('POST', `${groups}/`, body());
const withMember = async (world: ActWorld) => {
  const { id } = await group(world);
  await world.made('POST', `${groups}/${id}/members`, { userId: world.member.id });
  return { id, userId: world.member.id };
};
export const groupActs: Acts = {
  [`POST ${groups}/`]: alone('POST', `${groups}/`, body(), 'group.created'),
  [`PATCH ${groups}/{id}`]: on(
    group,
    'PATCH',
    ({ id }) => `${groups}/${id}`,
    () => ({ description: 'New' }),
    'group.updated',
  ),
  [`DELETE ${groups}/{id}`]: on(group, 'DELETE', ({ id }) => `${groups}/${id}`, undefined, 'group.deleted'),
  [`POST ${groups}/{id}/members`]: on(
    group,
    'POST',
    ({ id }) => `${groups}/${id}/members`,
    ({ member }: ActWorld) => ({ userId: member.id }),
    'group.member_added',
  ),
  [`DELETE ${groups}/{id}/members/{userId}`]: on(
    withMember,
    'DELETE',
    ({ id, userId }) => `${groups}/${id}/members/${userId}`,
    undefined,
    'group.member_removed',
  ),
};
