import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';

/** A pack of evidence that has failed, as one is before it is fetched: where a worker is, another would be ready at some time. */
export async function failedPack(pool: pg.Pool, by: { id: string; team: string }, documentId: string): Promise<{ id: string }> {
  const id = randomUUIDv7();
  await pool.query(
    `INSERT INTO evidence_pack (team_id, id, subject_type, subject_id, document_id, network, status, code, detail, created_by, owner_id, created_at, ended_at)
     VALUES ($1, $2, 'document', $3, $3, false, 'failed', 'forbidden', 'You may not have it.', $4, $4, now(), now())`,
    [by.team, id, documentId, by.id],
  );
  return { id };
}

/** Ends the packs of a team, which has two written at a time and a person five in a day. */
export async function clearPacks(pool: pg.Pool, team: string): Promise<void> {
  await pool.query('DELETE FROM evidence_pack WHERE team_id = $1', [team]);
}
