import { sqlStatement } from '../../../platform/database/statement.ts';

/**
 * Locks the live requests with several documents in which a barrier excludes a pending signer from a document of that signer. Suspended requests are
 * omitted. Locks no documents: a transaction that moves a document already holds that one, and may lock no others before it.
 */
export const lockRequestsOfExcluded = sqlStatement<{ team: string }, { id: string }>(
  `WITH several AS MATERIALIZED (
     SELECT DISTINCT d.request_id AS id FROM signature_request_document d JOIN signature_request r ON r.team_id = $team AND r.id = d.request_id
     WHERE d.team_id = $team AND d.live AND d.place > 0 AND r.status IN ('preparing', 'pending') AND r.suspended IS NULL
   ),
   found AS MATERIALIZED (
     SELECT o.id FROM several o
     WHERE EXISTS (
       SELECT FROM signature_signer s JOIN signature_request_document d ON d.team_id = $team AND d.request_id = o.id
       WHERE s.team_id = $team AND s.request_id = o.id AND s.account_id IS NOT NULL AND s.role <> 'copy' AND s.status <> 'signed'
         AND (d.readers IS NULL OR s.id = ANY (d.readers)) AND document_outsider($team, d.document_id, s.account_id)
     )
   )
   SELECT r.id FROM signature_request r WHERE r.team_id = $team AND r.id IN (SELECT id FROM found) ORDER BY r.id FOR NO KEY UPDATE OF r`,
);
