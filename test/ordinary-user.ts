import { randomUUIDv7 } from 'node:crypto';
import type { Pool } from 'pg';

/** Creates a database user without superuser rights, as in production. `drop` removes it. */
export async function ordinaryUser(pool: Pool, databaseUrl: string): Promise<{ url: string; drop: () => Promise<unknown> }> {
  const name = `chancery_ordinary_${randomUUIDv7().slice(-6)}`;
  const url = new URL(databaseUrl);
  await pool.query(
    `CREATE ROLE ${name} LOGIN; GRANT chancery_owner, chancery_app, chancery_system TO ${name};
     GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${name} WITH GRANT OPTION; GRANT ALL ON migration TO ${name};
     GRANT ALL ON SCHEMA public TO ${name} WITH GRANT OPTION`,
  );
  url.username = name;
  return { url: url.href, drop: () => pool.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`) };
}
