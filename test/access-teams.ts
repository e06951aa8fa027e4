import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { can, type Permission, relationsFor, type ResourceType } from '../src/access/can.ts';
import { permissions } from '../src/access/model.ts';
import { callerOf } from '../src/access/resource-access.ts';
import type { Actor } from '../src/platform/scope.ts';
import type { Checker, Tuple } from './fga.ts';
import { sharedChancery } from './harness.ts';

/** Types whose grants are stored in `access_grant`, with the relations that a share gives. */
const granted = {
  template: ['viewer', 'editor'],
  registry: ['viewer', 'editor'],
  form: ['editor', 'submission_viewer'],
  assistant: ['user'],
} as const satisfies Partial<Record<ResourceType, readonly string[]>>;
type Granted = keyof typeof granted;

const roles = ['owner', 'admin', 'member', 'member', 'viewer', 'guest', 'auditor'] as const;
const oneGrant = fc.record({
  resource: fc.nat({ max: 11 }),
  principal: fc.nat({ max: roles.length + 2 }),
  relation: fc.nat({ max: 1 }),
  expires: fc.constantFrom('never', 'never', 'past', 'future'),
});
const world = fc.record({
  members: fc.array(fc.record({ group: fc.nat({ max: 1 }), user: fc.nat({ max: roles.length - 1 }) }), { maxLength: 6 }),
  owners: fc.array(fc.nat({ max: roles.length - 1 }), { minLength: 12, maxLength: 12 }),
  grants: fc.array(oneGrant, { maxLength: 16 }),
  confined: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
});
type RandomTeam = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Stores a test world in the database and as tuples. */
async function store(db: PoolClient, team: string, users: readonly string[], { members, owners, grants, confined }: RandomTeam) {
  const types = Object.keys(granted) as Granted[];
  const resources = owners.map((owner, n) => {
    const type = types[n % types.length] ?? 'form';
    return { id: randomUUIDv7(), type, owner: type === 'assistant' ? null : (users[owner] ?? null) };
  });
  const tuples: Tuple[] = resources.map(({ id, type }) => ({ user: `team:${team}`, relation: 'team', object: `${type}:${id}` }));
  for (const { id, type, owner } of resources)
    if (owner !== null) tuples.push({ user: `user:${owner}`, relation: 'owner', object: `${type}:${id}` });
  users.forEach((id, n) => tuples.push({ user: `user:${id}`, relation: roles[n] ?? 'member', object: `team:${team}` }));
  const groups = [randomUUIDv7(), randomUUIDv7()];
  for (const id of groups)
    await db.query(
      `INSERT INTO access_group (team_id, id, name, created_by, created_by_type, created_at, updated_at)
       VALUES ($1, $2, $3, $4, 'user', now(), now())`,
      [team, id, id, users[0]],
    );
  for (const { group, user } of members) {
    const added = await db.query(
      'INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at) VALUES ($1, $2, $3, $3, now()) ON CONFLICT DO NOTHING',
      [team, groups[group], users[user]],
    );
    if (added.rowCount) tuples.push({ user: `user:${users[user]}`, relation: 'member', object: `group:${groups[group]}` });
  }
  const [bot, api] = [randomUUIDv7(), randomUUIDv7()];
  for (const id of [bot, api]) tuples.push({ user: `client:${id}`, relation: 'writer', object: `team:${team}` });
  tuples.push({ user: `client:${api}`, relation: 'unconfined', object: `team:${team}` });
  const insert = (
    resource: { id: string; type: string },
    [type, id]: [string, string | undefined],
    relation: string,
    source: string,
    at: Date | null,
  ) =>
    db.query(
      `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, ARRAY[$7], $8, $9, now(), $10) ON CONFLICT DO NOTHING`,
      [team, randomUUIDv7(), resource.type, resource.id, type, id, relation, source, users[0], at],
    );
  for (const { resource: n, principal, relation: which, expires } of grants) {
    const resource = resources[n] ?? assert.fail();
    const relation = granted[resource.type][which % granted[resource.type].length] ?? assert.fail();
    const [kind, id, user] =
      principal < users.length
        ? (['user', users[principal], `user:${users[principal]}`] as const)
        : principal < users.length + 2
          ? (['group', groups[principal - users.length], `group:${groups[principal - users.length]}#member`] as const)
          : (['team', team, `team:${team}#anyone`] as const);
    const at = expires === 'never' ? null : new Date(Date.now() + (expires === 'past' ? -3_600_000 : 3_600_000));
    const made = await insert(resource, [kind, id], relation, 'share', at);
    // The model has no expiry for grants of these types: a valid grant becomes a tuple, an expired grant does not.
    if (made.rowCount && expires !== 'past') tuples.push({ user, relation, object: `${resource.type}:${resource.id}` });
  }
  for (const n of new Set(confined)) {
    const resource = resources.filter(({ type }) => type === 'registry' || type === 'template')[n] ?? assert.fail();
    await insert(resource, ['client', bot], 'manager', 'confinement', null);
    tuples.push({ user: `client:${bot}`, relation: 'manager', object: `${resource.type}:${resource.id}` });
  }
  const callers: { name: string; actor: Actor }[] = users.map((id, n) => ({
    name: `user:${id}`,
    actor: { type: 'user', id, role: roles[n] ?? '' },
  }));
  const scopes = new Set<string>();
  callers.push({ name: `client:${api}`, actor: { type: 'client', id: api, scopes } });
  callers.push({ name: `client:${bot}`, actor: { type: 'client', id: bot, scopes, folderIds: [] } });
  return { resources, tuples, callers };
}

/** Stores random teams in the database and compares each check and each list with the results of the checker. */
export async function compareRandomTeams(checker: Checker, numRuns: number): Promise<void> {
  const chancery = await sharedChancery();
  const team = await chancery.team();
  const users = [team.owner.id];
  for (const role of roles.slice(1)) users.push((await chancery.user(team, { role })).id);
  const db = await chancery.pool.connect();
  try {
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        await db.query('BEGIN');
        try {
          const { resources, tuples, callers } = await store(db, team.id, users, made);
          for (const { name, actor } of callers) {
            const { caller, person } = callerOf(actor);
            const { rows } = await db.query(
              `SELECT r.id, access_relations($1, $2, $3, r.type, r.id, r.owner) AS relations
               FROM unnest($4::text[], $5::uuid[], $6::uuid[]) AS r (type, id, owner)`,
              [
                team.id,
                caller,
                person,
                resources.map(({ type }) => type),
                resources.map(({ id }) => id),
                resources.map(({ owner }) => owner),
              ],
            );
            const checks = resources.flatMap(({ id, type }) =>
              Object.keys(permissions[type]).map((permission) => ({ user: name, relation: `can_${permission}`, object: `${type}:${id}` })),
            );
            const answers = await checker(tuples, checks);
            const allowed = new Set(checks.filter((_, n) => answers[n]).map(({ relation, object }) => `${relation} ${object}`));
            const relations = new Map<string, string[]>(rows.map((row) => [row.id, row.relations]));
            for (const { id, type } of resources)
              for (const permission of Object.keys(permissions[type])) {
                const decided = can(actor, type, permission as Permission<typeof type>, { relations: relations.get(id) ?? [] });
                assert.equal(decided, allowed.has(`can_${permission} ${type}:${id}`), `${name} ${permission} ${type}`);
              }
            for (const type of Object.keys(granted) as Granted[])
              for (const named of Object.keys(permissions[type])) {
                const permission = named as Permission<typeof type>;
                const all = can(actor, type, permission, { relations: [] });
                const sufficient = relationsFor(actor, type, permission);
                const { rows: reached } = await db.query('SELECT access_resources($1, $2, $3, $4, $5) AS id', [
                  team.id,
                  caller,
                  person,
                  type,
                  sufficient,
                ]);
                const listed = new Set(reached.map(({ id }) => id));
                const isOwned = (owner: string | null) => owner === caller && sufficient.includes('owner');
                const ofType = resources.filter((one) => one.type === type);
                const seen = ofType.filter(({ id, owner }) => all || isOwned(owner) || listed.has(id));
                const expected = ofType.filter(({ id }) => allowed.has(`can_${permission} ${type}:${id}`));
                assert.deepEqual(seen, expected, `the ${type} list of ${permission} for ${name}`);
              }
          }
        } finally {
          await db.query('ROLLBACK');
        }
      }),
      { numRuns },
    );
  } finally {
    db.release();
  }
}
