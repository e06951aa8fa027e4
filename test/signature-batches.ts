import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';

/** Inserts a batch with a pending row. A real worker would process the batch at once. */
export async function waitingBatch(
  pool: pg.Pool,
  by: { id: string; team: string },
  documentId: string = randomUUIDv7(),
): Promise<{ id: string }> {
  const id = randomUUIDv7();
  await pool.query(
    `INSERT INTO signature_batch (team_id, id, title, document_id, source_version, manner, created_by, created_by_type, owner_id, created_at)
     VALUES ($1, $2, 'Many', $3, 1, '{}', $4, 'user', $4, now())`,
    [by.team, id, documentId, by.id],
  );
  await pool.query(
    "INSERT INTO signature_batch_row (team_id, batch_id, number, email, name, data) VALUES ($1, $2, 1, 'ada@example.org', 'Ada', '{}')",
    [by.team, id],
  );
  return { id };
}
