import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type Team } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { fillPath, named, plausible } from './walk.ts';

let chancery: Chancery;
let team: Team;
let otherTeam: Team;
let seeded: Record<string, string>;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  otherTeam = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
});
after(() => chancery.stop());

const protectedOperations = () => chancery.description.operations.filter(({ access }) => access === 'user' || access === 'staff');
const pathFor = (path: string) => fillPath(path, (name) => seededId(path, name));
/** The identifier of a thing of the first team, by what the path is about. */
function seededId(path: string, name: string): string {
  const area = Object.keys(seeded).find((prefix) => path.startsWith(prefix) && (name === 'id' || prefix.endsWith(`{${name}}`)));
  return seeded[`${path}#${name}`] ?? (area ? (seeded[area] ?? '') : randomUUIDv7());
}

test('each path with an identifier of a team’s thing has a seeded one, so that the walk cannot miss an area', () => {
  for (const operation of protectedOperations()) {
    for (const [, name = ''] of operation.path.matchAll(/\{([^}]+)\}/g)) {
      // Templates are found by a name that several teams may have.
      if (name === 'name') continue;
      assert.ok(Object.values(seeded).includes(seededId(operation.path, name)), `seed.ts makes what ${named(operation)} names as ${name}`);
    }
  }
});

test('without a token, each operation that wants one answers 401 with a challenge', async () => {
  for (const operation of protectedOperations()) {
    const answer = await chancery.call(
      operation.method,
      pathFor(operation.path),
      operation.hasBody ? { body: plausible(operation.body) } : {},
    );
    assert.equal(answer.status, 401, named(operation));
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, named(operation));
  }
});

test('with a token that is not one, each answers 401', async () => {
  for (const operation of protectedOperations()) {
    const answer = await chancery.call(operation.method, pathFor(operation.path), { token: 'not.a.token' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], named(operation));
  }
});

test('a viewer’s token is refused by each operation whose scope it lacks, before anything is looked at', async () => {
  const viewer = await chancery.user(team, { role: 'viewer' });
  let refused = 0;
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user' || !operation.scope?.endsWith(':write') || operation.scope === 'profile:write') continue;
    const answer = await chancery.call(operation.method, pathFor(operation.path), {
      token: viewer.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], named(operation));
    assert.match(answer.body.detail, new RegExp(operation.scope), named(operation));
    refused += 1;
  }
  assert.ok(refused > 10, 'the walk found operations to refuse');
});

test('another team’s token sees nothing of a team: by identifier 404, in lists no trace', async () => {
  const ids = new Set(Object.values(seeded));
  const before = await snapshot(team.id);
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user') continue;
    const path = pathFor(operation.path);
    // A new person each time: signing out is one of the operations.
    const stranger = await chancery.user(otherTeam, { role: 'admin' });
    const targets = [...ids].some((id) => path.includes(id));
    const answer = await chancery.call(operation.method, path, {
      token: stranger.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    for (const id of ids) {
      if (path.includes(id)) continue;
      assert.ok(!answer.text.includes(id), `${named(operation)} shows nothing of another team`);
    }
    if (targets && !path.includes('/document/'))
      assert.ok([400, 404, 422].includes(answer.status), `${named(operation)} answered ${answer.status} for another team’s thing`);
    if (targets && operation.method === 'GET' && !path.includes('/document/')) assert.equal(answer.status, 404, named(operation));
  }
  assert.deepEqual(await snapshot(team.id), before, 'and nothing of the team was changed');
});

/** Every row that belongs to a team, as text. */
async function snapshot(teamId: string): Promise<Record<string, string>> {
  const { rows } = await chancery.pool.query(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'",
  );
  const entries = await Promise.all(
    rows.map(async ({ name }) => [
      name,
      (
        await chancery.pool.query(
          `SELECT coalesce(string_agg(md5(t::text), ',' ORDER BY t::text), '') AS rows FROM ${name} t WHERE team_id = $1`,
          [teamId],
        )
      ).rows[0].rows,
    ]),
  );
  return Object.fromEntries(entries.filter(([name]) => name !== 'session'));
}
