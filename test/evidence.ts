import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';

/** Creates a failed evidence pack that was not fetched. A real worker would build the pack sooner or later. */
export async function failedPack(pool: pg.Pool, by: { id: string; team: string }, documentId: string): Promise<{ id: string }> {
  const id = randomUUIDv7();
  await pool.query(
    `INSERT INTO evidence_pack (team_id, id, subject_type, subject_id, document_id, network, status, code, detail, created_by, owner_id, created_at, ended_at)
     VALUES ($1, $2, 'document', $3, $3, false, 'failed', 'forbidden', 'You may not have it.', $4, $4, now(), now())`,
    [by.team, id, documentId, by.id],
  );
  return { id };
}

/** Ends the packs of a team. A team can have two in progress, and a user can request five a day. */
export async function clearPacks(pool: pg.Pool, team: string): Promise<void> {
  await pool.query('DELETE FROM evidence_pack WHERE team_id = $1', [team]);
}
