import { jsonObject } from '../database/json-page.ts';
import type { Row } from '../database/row.ts';
import { isoText } from '../database/sorted-page.ts';
import { sqlStatement } from '../database/statement.ts';

/** Why a mail was rejected: the enhanced status code (RFC 3463), and the text of the mail server without addresses. */
export type Rejection = { status: string; diagnostic: string };

/** A subquery with the state of an address for the team, as JSON; null if its mails are delivered. `hash` is the column with the hash of the address. */
export const undeliverableByHash = (hash: string) =>
  `(SELECT ${jsonObject({ since: isoText('u.since'), status: 'u.status', diagnostic: 'u.diagnostic' })} FROM undeliverable_address u
    WHERE u.team_id = $team AND u.address_hash = ${hash} AND u.cleared_at IS NULL)`;

/** The same for a column with the address. */
export const undeliverableOf = (address: string) => undeliverableByHash(`address_hash($team, ${address})`);

/** Records the rejection of a mail, once. A mail that was withdrawn has no recipient. */
export const markBounced = sqlStatement<{ id: string } & Rejection, { team: string | null }>(
  `UPDATE mail_message SET status = 'failed', error = 'rejected (' || $status || ')', bounce_status = $status, bounce_diagnostic = $diagnostic
   WHERE id = $id AND bounce_status IS NULL AND recipient <> '' RETURNING team_id AS team`,
);

/** Returns a rejected mail of the current team. */
export const bouncedMail = sqlStatement<
  { id: string },
  Pick<Row<'mail_message', 'recipient' | 'about' | 'sent_at'>, 'recipient' | 'about' | 'sent_at'> & Rejection
>('SELECT recipient, about, status, diagnostic, sent_at FROM bounced_mail($id)', { diagnostic: 'written with bounce_status' });

/**
 * Records that an address is undeliverable. Returns whether it was deliverable before; no row if the address was confirmed after the mail was
 * sent.
 */
export const noteUndeliverable = sqlStatement<
  { team: string; address: string; sentAt: string | null; at: Date } & Rejection,
  { is_new: boolean }
>(
  `INSERT INTO undeliverable_address AS u (team_id, address_hash, status, diagnostic, since, failed_at)
   VALUES ($team, address_hash($team, $address), $status, $diagnostic, $at, $at)
   ON CONFLICT (team_id, address_hash) DO UPDATE SET status = excluded.status, diagnostic = excluded.diagnostic, failed_at = excluded.failed_at,
     since = CASE WHEN u.cleared_at IS NULL THEN u.since ELSE excluded.since END, cleared_at = NULL
   WHERE u.cleared_at IS NULL OR u.cleared_at < coalesce($sentAt::timestamptz, $at)
   RETURNING u.since = u.failed_at AS is_new`,
);

/** Records that the team can reach an address again, or sends to it again. Reports about earlier mails then have no effect. */
export const clearUndeliverable = sqlStatement<{ team: string; address: string; at: Date }, never>(
  'UPDATE undeliverable_address SET cleared_at = $at WHERE team_id = $team AND address_hash = address_hash($team, $address)',
);

/**
 * Clears addresses that accepted a later mail at least five days ago: mail servers report a failure within that time. Rows that are cleared for 30
 * days, or whose last failure is a year ago, are deleted.
 */
export const clearDelivered = sqlStatement<{ now: Date }, never>(
  `UPDATE undeliverable_address u SET cleared_at = $now
   WHERE u.cleared_at IS NULL AND EXISTS (SELECT FROM mail_message m WHERE m.team_id = u.team_id AND m.status = 'sent'
     AND m.sent_at > u.failed_at AND m.sent_at < $now::timestamptz - interval '5 days' AND u.address_hash = address_hash(m.team_id, m.recipient))`,
);
export const dropOldUndeliverable = sqlStatement<{ now: Date }, never>(
  `DELETE FROM undeliverable_address
   WHERE cleared_at < $now::timestamptz - interval '30 days' OR failed_at < $now::timestamptz - interval '1 year'`,
);
