import type pg from 'pg';

/** People and their memberships, straight into the database. Guests and auditors have 90 days, and the owner sponsors guests. `rows` selects team, id, email, first name, last name, role and password hash. */
export const membersFrom = (rows: string): string =>
  `WITH rows (team_id, id, email, first_name, last_name, role, password_hash) AS (${rows}),
     people AS (INSERT INTO person (id, email, email_key, first_name, last_name, password_hash)
       SELECT id, email, email, first_name, last_name, password_hash FROM rows)
   INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role, ends_at, sponsor_id)
   SELECT team_id, id, email, email, first_name, last_name, role,
     CASE WHEN role IN ('guest', 'auditor') THEN now() + interval '90 days' END,
     CASE role WHEN 'guest' THEN (SELECT o.id FROM account o WHERE o.team_id = rows.team_id AND o.role = 'owner') END
   FROM rows`;

export type NewMember = {
  team: string;
  id: string;
  email: string;
  firstName?: string;
  lastName?: string;
  role: string;
  passwordHash?: string;
};

export async function insertMember(
  pool: pg.Pool,
  { team, id, email, firstName = 'Ada', lastName = 'Lovelace', role, passwordHash }: NewMember,
): Promise<void> {
  await pool.query(membersFrom('SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text'), [
    team,
    id,
    email,
    firstName,
    lastName,
    role,
    passwordHash ?? null,
  ]);
}

/** Sign-ins with a password, each open in the team. `sql` sets more columns of `sign_in`, such as `{ epoch: '0' }`. */
export async function insertSessions(
  pool: pg.Pool,
  team: string,
  account: string,
  ids: readonly string[],
  sql: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = {
    auth_time: 'now()',
    own_proof_at: 'now()',
    amr: "'{pwd}'",
    acr: "'aal1'",
    expires_at: "now() + interval '90 days'",
    ...sql,
  };
  await pool.query(
    `WITH signed AS (
       INSERT INTO sign_in (id, person_id, ${Object.keys(columns).join(', ')})
       SELECT id, $2, ${Object.values(columns).join(', ')} FROM unnest($3::uuid[]) WITH ORDINALITY AS s(id, n)
     ) INSERT INTO session (team_id, id, account_id) SELECT $1, id, $2 FROM unnest($3::uuid[]) AS s(id)`,
    [team, account, ids],
  );
}

/** Gives an auditor a seat without resources. */
export const insertSeat = (pool: pg.Pool, team: string, auditor: string) =>
  pool.query(
    `INSERT INTO audit_seat (team_id, account_id, journal_from, journal_to, may_export, created_by, created_at, updated_at)
     VALUES ($1, $2, '2000-01-01', '2100-01-01', false, $2, now(), now())`,
    [team, auditor],
  );
