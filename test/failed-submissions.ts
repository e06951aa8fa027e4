import type { Chancery } from './harness.ts';

/** Puts a submission into the state after its document was rejected. */
export async function failSubmission({ pool }: Pick<Chancery, 'pool'>, id: string): Promise<void> {
  await pool.query("UPDATE submission SET status = 'failed' WHERE id = $1", [id]);
  await pool.query(
    `INSERT INTO submission_effect (team_id, submission_id, kind, status, attempts, code, updated_at)
     SELECT team_id, id, 'document', 'failed', 1, 'parent_not_found', now() FROM submission WHERE id = $1`,
    [id],
  );
}
