import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/postgres.ts';

test('the shortcut for an owner without barriers returns the same facts as the complete lookup', async () => {
  const own = await createTestDatabase();
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  try {
    const [team, me, other, resource, container, inside, outside] = Array.from(
      { length: 7 },
      (_, n) => `018f2f6e-7c1a-7000-8000-00000000000${n + 1}`,
    );
    // Only the rows for the facts, without folders, accounts and triggers.
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
       VALUES ($1, uuidv7(), 'document', $3, 'user', $2, '{viewer}', 'share', $2, now()), ($1, uuidv7(), 'folder', $4, 'team', $1, '{editor}', 'share', $2, now())`,
      [team, me, resource, container],
    );
    await client.query(
      'INSERT INTO access_path (team_id, container_id, ancestor_id, distance) SELECT $1, id, id, 0 FROM unnest($2::uuid[]) AS c(id)',
      [team, [container, inside, outside]],
    );
    await client.query('INSERT INTO access_barrier (team_id, id, set_by, created_at) VALUES ($1, $2, $4, now()), ($1, $3, $4, now())', [
      team,
      inside,
      outside,
      me,
    ]);
    await client.query(
      "INSERT INTO access_barrier_member (team_id, barrier_id, principal_type, principal_id) VALUES ($1, $2, 'user', $3)",
      [team, inside, me],
    );
    const { rows } = await client.query<Record<'short' | 'whole', string>>(
      `SELECT s::text AS short, w::text AS whole
       FROM unnest(ARRAY[$2::uuid, NULL]) AS person(id), unnest(ARRAY[NULL, ARRAY[$5::uuid]::text]) AS roots(ids), unnest(ARRAY[$2, $3]::uuid[]) AS owner(id),
         unnest(ARRAY[$5, NULL]::uuid[]) AS container(id), unnest(ARRAY['00000000-0000-0000-0000-000000000000', $6, $7, NULL]::uuid[]) AS barrier(id)
       CROSS JOIN LATERAL access_facts($1, person.id, roots.ids::uuid[], 'document', $4, owner.id, container.id, barrier.id) s
       CROSS JOIN LATERAL read_access_facts($1, person.id, roots.ids::uuid[], 'document', $4, owner.id, container.id, barrier.id) w`,
      [team, me, other, resource, container, inside, outside],
    );
    assert.equal(rows.length, 64);
    for (const { short, whole } of rows) assert.equal(short, whole);
    const found = new Set(rows.map(({ whole }) => whole));
    for (const facts of ['({owner},{},f,f)', '({viewer},{editor},f,f)', '({},{editor},f,f)', '({owner},{},t,t)'])
      assert.ok(found.has(facts), `${facts} is among ${[...found].join(' ')}`);
  } finally {
    await client.end();
    await own.drop();
  }
});
