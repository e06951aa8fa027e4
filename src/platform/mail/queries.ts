import type { Row } from '../database/row.ts';
import { sqlStatement } from '../database/statement.ts';

type NewMail = {
  id: string;
  team: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
  budgeted: boolean;
  about: string | null;
};

export const insertMail = sqlStatement<NewMail, never>(
  `INSERT INTO mail_message (id, team_id, recipient, subject, text_body, html_body, budgeted, about)
   VALUES ($id, $team, $to, $subject, $text, $html, $budgeted, $about)`,
);

/** Takes back mails about a thing of the team of the transaction, which is erased in it. */
export const withdrawMails = sqlStatement<{ about: string }, never>('SELECT withdraw_mails($about)');

export type QueuedMail = Row<'mail_message', 'id' | 'recipient' | 'subject' | 'text_body' | 'html_body' | 'about'> & {
  team: string | null;
};

export type WrittenMail = Pick<QueuedMail, 'recipient' | 'subject' | 'text_body' | 'html_body' | 'team'>;

// A mail without a team has no row of it.
const withTeam = 'mail_message m LEFT JOIN team_name(m.team_id) t ON true';

/** A mail that is still to be sent: no row once it was. */
export const mailToSend = sqlStatement<{ id: string }, QueuedMail>(
  `SELECT id, recipient, subject, text_body, html_body, about, t.name AS team FROM ${withTeam} WHERE id = $id AND status <> 'sent'`,
);

/** Those who count mails of a team do so one after the other, so that what they count holds. */
export const lockBudget = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('mails ' || $team::uuid, 0))",
);

const maxOf = (name: string) => `coalesce((SELECT q.most FROM team_quota q WHERE q.team_id = m.team_id AND q.name = '${name}'),
  (SELECT d.most FROM quota_default d WHERE d.name = '${name}'), 1000000000)`;
const counted = (period: string) => `s.team_id = m.team_id AND s.budgeted AND s.counted_at > now() - interval '${period}'`;
const countedForTeam = counted('1 day');
const countedForAddress = `${counted('1 hour')} AND s.recipient = m.recipient`;
const freeAt = (which: string, period: string) =>
  `(SELECT coalesce(min(s.counted_at), now()) + interval '${period}' FROM mail_message s WHERE ${which})`;

export type Budget = { counted: boolean; team_left: number; address_left: number; team_free_at: string; address_free_at: string };

/** What is left of the budgets of a mail's team, and when something of each is free again. */
export const budgetOf = sqlStatement<{ id: string }, Budget>(
  `SELECT m.counted_at IS NOT NULL AS counted,
     ${maxOf('mails')} - (SELECT count(*) FROM mail_message s WHERE ${countedForTeam}) AS team_left,
     ${maxOf('mailsToOneAddress')} - (SELECT count(*) FROM mail_message s WHERE ${countedForAddress}) AS address_left,
     ${freeAt(countedForTeam, '1 day')} AS team_free_at, ${freeAt(countedForAddress, '1 hour')} AS address_free_at
   FROM mail_message m WHERE m.id = $id AND m.status <> 'sent'`,
);

/** A mail counts from its first try on, and once. */
export const countMail = sqlStatement<{ id: string }, never>(
  'UPDATE mail_message SET counted_at = now() WHERE id = $id AND counted_at IS NULL',
);

/** Mails of a team that would only find its budget used up, or that to one address. */
export const uncountedMails = sqlStatement<{ team: string; recipient: string | null }, { id: string }>(
  `SELECT id FROM mail_message WHERE team_id = $team AND status = 'queued' AND budgeted AND counted_at IS NULL
     AND ($recipient::text IS NULL OR recipient = $recipient)`,
);

/** What was sent is erased: codes and links live no longer than needed. */
export const markSent = sqlStatement<{ id: string }, never>(
  "UPDATE mail_message SET status = 'sent', sent_at = now(), error = NULL, text_body = NULL, html_body = NULL WHERE id = $id",
);

/** One that is not sent any more: it may tell whom it is to nothing by now. */
export const dropMail = sqlStatement<{ id: string }, never>("DELETE FROM mail_message WHERE id = $id AND status <> 'sent'");

export const markFailed = sqlStatement<{ id: string; error: string }, never>(
  "UPDATE mail_message SET status = 'failed', error = $error WHERE id = $id AND status <> 'sent'",
);

export const newestMails = sqlStatement<{ to: string | null }, WrittenMail & { created_at: string }>(
  `SELECT recipient, subject, text_body, html_body, created_at, t.name AS team FROM ${withTeam}
   WHERE $to::text IS NULL OR lower(recipient) = lower($to) ORDER BY id DESC LIMIT 200`,
);

/** One that is being sent is left for the next time. */
export const dropOldMails = sqlStatement<{ before: string }, never>(
  `WITH held AS (SELECT id FROM mail_message WHERE created_at < $before ORDER BY id FOR UPDATE SKIP LOCKED)
   DELETE FROM mail_message m USING held WHERE m.id = held.id`,
);

/** What was sent to visitors longer ago than counts. */
export const dropOldVisitorMails = sqlStatement<object, never>("DELETE FROM visitor_mail WHERE at < now() - interval '1 day'");
