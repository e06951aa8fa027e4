import { build, sqlStatement, statement } from '../database/statement.ts';

type NewMail = { id: string; team: string | null; to: string; subject: string; text: string; html: string };

/** Queues a mail and wakes the worker when the transaction commits. */
export const insertMail = sqlStatement<NewMail, never>(
  `WITH queued AS (
     INSERT INTO mail_message (id, team_id, recipient, subject, text_body, html_body) VALUES ($id, $team, $to, $subject, $text, $html)
   ) SELECT pg_notify('mail_due', '')`,
);

export type DueMail = {
  id: string;
  recipient: string;
  subject: string;
  text_body: string | null;
  html_body: string | null;
  attempts: number;
};

type MailClaim = {
  limit: number;
  leaseSeconds: number;
  /** Goes on behind this team, over so many. */
  after: string;
  lanes: number;
  /** Those that the server has, which is not written down yet. */
  taken: string[];
};

/** One row comes back at least, to say how many teams were looked at and which was the last. */
export type ClaimedMail = Omit<DueMail, 'id'> & { id: string | null; lanes: number; last: string | null };

/**
 * Takes due mails under a lease, of teams in turn: many mails of one delay nobody else's. A worker that dies leaves them to
 * the next.
 */
export const claimMails = sqlStatement<MailClaim, ClaimedMail>(
  `WITH RECURSIVE lane AS (
     (SELECT mail_lane(m.team_id) AS id, 1 AS step FROM mail_message m WHERE m.status = 'queued' AND mail_lane(m.team_id) > $after::uuid ORDER BY 1 LIMIT 1)
     UNION ALL
     SELECT n.id, l.step + 1 FROM lane l CROSS JOIN LATERAL (
       SELECT mail_lane(m.team_id) AS id FROM mail_message m WHERE m.status = 'queued' AND mail_lane(m.team_id) > l.id ORDER BY 1 LIMIT 1
     ) n WHERE l.step < $lanes
   ),
   due AS (
     SELECT head.id FROM lane l CROSS JOIN LATERAL (
       SELECT h.*, row_number() OVER (ORDER BY h.next_at) AS nth FROM (
         SELECT m.id, m.next_at FROM mail_message m
         WHERE m.status = 'queued' AND mail_lane(m.team_id) = l.id AND m.next_at <= now() AND (m.lease_until IS NULL OR m.lease_until < now())
           AND m.id <> ALL ($taken::uuid[])
         ORDER BY m.next_at LIMIT $limit::int
       ) h
     ) head ORDER BY head.nth, head.next_at LIMIT $limit
   ),
   held AS (
     SELECT id FROM mail_message WHERE id IN (SELECT id FROM due) AND status = 'queued' AND (lease_until IS NULL OR lease_until < now())
     FOR UPDATE SKIP LOCKED
   ),
   claimed AS (
     UPDATE mail_message m SET lease_until = now() + make_interval(secs => $leaseSeconds), attempts = m.attempts + 1
     FROM held WHERE m.id = held.id RETURNING m.id, m.recipient, m.subject, m.text_body, m.html_body, m.attempts
   )
   SELECT c.*, seen.lanes, seen.last
   FROM (SELECT count(*)::int AS lanes, (array_agg(id ORDER BY step DESC))[1] AS last FROM lane) seen LEFT JOIN claimed c ON true`,
);

/** What was sent is erased: codes and links live no longer than needed. */
export const markSent = sqlStatement<{ ids: string[] }, never>(
  `UPDATE mail_message SET status = 'sent', sent_at = now(), lease_until = NULL, error = NULL, text_body = NULL, html_body = NULL WHERE id = ANY ($ids::uuid[])`,
);

/** Mails stay with who sends them for longer. */
export const extendLeases = sqlStatement<{ ids: string[]; leaseSeconds: number }, never>(
  `UPDATE mail_message SET lease_until = now() + make_interval(secs => $leaseSeconds) WHERE id = ANY ($ids::uuid[]) AND status = 'queued'`,
);

export const markFailed = sqlStatement<{ id: string; error: string; status: 'queued' | 'failed'; waitSeconds: number }, never>(
  `UPDATE mail_message SET status = $status, error = $error, lease_until = NULL, next_at = now() + make_interval(secs => $waitSeconds) WHERE id = $id`,
);

export const newestMails = sqlStatement<
  { to: string | null },
  { recipient: string; subject: string; text_body: string | null; html_body: string | null; created_at: string }
>(
  `SELECT recipient, subject, text_body, html_body, created_at FROM mail_message
   WHERE $to::text IS NULL OR lower(recipient) = lower($to) ORDER BY id DESC LIMIT 200`,
);

export const dropOldMails = statement<{ before: string }>()((p) => build.deleteFrom('mail_message').where('created_at', '<', p.before));
