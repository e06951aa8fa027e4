import type { Chancery, TestTeam } from './harness.ts';

/** Adds 51 members to a group, one more than an approval round has candidates. */
export async function fillGroup(chancery: Chancery, team: TestTeam, group: string): Promise<void> {
  await chancery.pool.query(
    `WITH numbered AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 51)),
       people AS (INSERT INTO person (id, email, email_key, first_name, last_name)
         SELECT id, id || '@example.org', id || '@example.org', 'A', 'B' FROM numbered),
       members AS (INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
         SELECT $1, id, id || '@example.org', id || '@example.org', 'A', 'B', 'member' FROM numbered)
     INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at) SELECT $1, $2, id, $3, now() FROM numbered`,
    [team.id, group, team.owner.id],
  );
}
