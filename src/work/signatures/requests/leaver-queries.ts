import { joinDocumentSql } from '#documents';
import { sqlStatement } from '../../../platform/database/statement.ts';

/** Locks the live requests that a leaving member created or must sign. Locks their documents first, in the usual order. */
export const lockRequestsOfLeaver = sqlStatement<{ team: string; from: string }, { id: string }>(
  `WITH theirs AS (
     SELECT r.id FROM requests_of_leaver($team, $from) r
   ),
   documents_held AS MATERIALIZED (
     SELECT d.id FROM theirs JOIN signature_request_document o ON o.team_id = $team AND o.request_id = theirs.id ${joinDocumentSql('o.document_id')}
     ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT r.id FROM signature_request r WHERE r.team_id = $team AND r.id IN (SELECT id FROM theirs) AND (SELECT count(*) FROM documents_held) >= 0
   ORDER BY r.id FOR NO KEY UPDATE OF r`,
);

export const handOver = sqlStatement<{ team: string; from: string; to: string; at: Date }, never>(
  `UPDATE signature_request r SET owner_id = CASE WHEN r.owner_id = $from THEN $to ELSE r.owner_id END,
     requested_by = CASE WHEN r.requested_by = $from THEN $to ELSE r.requested_by END, version = r.version + 1, updated_at = $at
   WHERE r.team_id = $team AND (r.owner_id = $from OR r.requested_by = $from)`,
);

/** Live requests that a leaving member has not signed yet. */
export const leftSigners = sqlStatement<{ team: string; from: string }, { id: string }>(
  `SELECT r.id FROM signature_request r JOIN signature_signer s ON s.team_id = $team AND s.request_id = r.id
   WHERE r.team_id = $team AND r.status IN ('preparing', 'pending') AND s.account_id = $from AND s.role <> 'copy' AND s.status <> 'signed' ORDER BY r.id`,
);
