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

/** Takes due mails under a lease: a worker that dies leaves them to the next. */
export const claimMails = sqlStatement<{ limit: number; leaseSeconds: number }, DueMail>(
  `UPDATE mail_message m SET lease_until = now() + make_interval(secs => $leaseSeconds), attempts = m.attempts + 1
   FROM (
     SELECT id FROM mail_message
     WHERE status = 'queued' AND next_at <= now() AND (lease_until IS NULL OR lease_until < now())
     ORDER BY next_at LIMIT $limit FOR UPDATE SKIP LOCKED
   ) due
   WHERE m.id = due.id RETURNING m.id, m.recipient, m.subject, m.text_body, m.html_body, m.attempts`,
);

/** What was sent is erased: codes and links live no longer than needed. */
export const markSent = sqlStatement<{ id: string }, never>(
  `UPDATE mail_message SET status = 'sent', sent_at = now(), lease_until = NULL, error = NULL, text_body = NULL, html_body = NULL WHERE id = $id`,
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
