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

/** Withdraws the mails about a resource of the current team, when the resource is erased. */
export const withdrawMails = sqlStatement<{ about: string }, never>('SELECT withdraw_mails($about)');

export type QueuedMail = Row<'mail_message', 'id' | 'recipient' | 'subject' | 'text_body' | 'html_body' | 'about'> & {
  team: string | null;
};

export type WrittenMail = Pick<QueuedMail, 'recipient' | 'subject' | 'text_body' | 'html_body' | 'team'>;

// `team_name` returns no row for a mail without a team.
const withTeam = 'mail_message m LEFT JOIN team_name(m.team_id) t ON true';

/** Returns a mail that is not yet sent; no row afterwards. */
export const mailToSend = sqlStatement<{ id: string }, QueuedMail>(
  `SELECT id, recipient, subject, text_body, html_body, about, t.name AS team FROM ${withTeam} WHERE id = $id AND status <> 'sent'`,
);

/** Serializes the counting of mails of a team, so that the counts are exact. */
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

/**
 * Returns the mails that the team may still send, in total and to the address of this mail, and when each number
 * increases again.
 */
export const budgetOf = sqlStatement<{ id: string }, Budget>(
  `SELECT m.counted_at IS NOT NULL AS counted,
     ${maxOf('mails')} - (SELECT count(*) FROM mail_message s WHERE ${countedForTeam}) AS team_left,
     ${maxOf('mailsToOneAddress')} - (SELECT count(*) FROM mail_message s WHERE ${countedForAddress}) AS address_left,
     ${freeAt(countedForTeam, '1 day')} AS team_free_at, ${freeAt(countedForAddress, '1 hour')} AS address_free_at
   FROM mail_message m WHERE m.id = $id AND m.status <> 'sent'`,
);

/** Counts a mail at its first attempt, once. */
export const countMail = sqlStatement<{ id: string }, never>(
  'UPDATE mail_message SET counted_at = now() WHERE id = $id AND counted_at IS NULL',
);

/** Returns the uncounted mails of a team, optionally to one email address, which would find the same budget used up. */
export const uncountedMails = sqlStatement<{ team: string; recipient: string | null }, { id: string }>(
  `SELECT id FROM mail_message WHERE team_id = $team AND status = 'queued' AND budgeted AND counted_at IS NULL
     AND ($recipient::text IS NULL OR recipient = $recipient)`,
);

/**
 * Marks a mail as sent and erases its texts, so that codes and links are not stored longer than needed. The report of its failure can arrive
 * before.
 */
export const markSent = sqlStatement<{ id: string }, never>(
  `UPDATE mail_message SET sent_at = now(), text_body = NULL, html_body = NULL,
     status = CASE WHEN bounce_status IS NULL THEN 'sent' ELSE 'failed' END, error = CASE WHEN bounce_status IS NOT NULL THEN error END
   WHERE id = $id`,
);

/** Deletes a mail that may no longer be sent, because its recipient may have lost access. */
export const dropMail = sqlStatement<{ id: string }, never>("DELETE FROM mail_message WHERE id = $id AND status <> 'sent'");

export const markFailed = sqlStatement<{ id: string; error: string }, never>(
  "UPDATE mail_message SET status = 'failed', error = $error WHERE id = $id AND status <> 'sent'",
);

export const newestMails = sqlStatement<{ to: string | null }, WrittenMail & { created_at: string }>(
  `SELECT recipient, subject, text_body, html_body, created_at, t.name AS team FROM ${withTeam}
   WHERE $to::text IS NULL OR lower(recipient) = lower($to) ORDER BY id DESC LIMIT 200`,
);

/** Deletes old mails. Skips a mail that is being sent. */
export const dropOldMails = sqlStatement<{ before: string }, never>(
  `WITH locked AS (SELECT id FROM mail_message WHERE created_at < $before ORDER BY id FOR UPDATE SKIP LOCKED)
   DELETE FROM mail_message m USING locked WHERE m.id = locked.id`,
);

/** Deletes counts of visitor mails that are older than the budget period. */
export const dropOldVisitorMails = sqlStatement<object, never>("DELETE FROM visitor_mail WHERE at < now() - interval '1 day'");
