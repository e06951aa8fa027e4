import { sqlStatement } from '../database/statement.ts';

type NewMail = {
  id: string;
  team: string | null;
  to: string;
  subject: string;
  text: string;
  html: string;
  budgeted: boolean;
  wake: boolean;
};

/** Queues a mail and, where it is to, wakes the worker when the transaction commits. */
export const insertMail = sqlStatement<NewMail, never>(
  `WITH queued AS (
     INSERT INTO mail_message (id, team_id, recipient, subject, text_body, html_body, budgeted)
     VALUES ($id, $team, $to, $subject, $text, $html, $budgeted)
   ) SELECT pg_notify('mail_due', '') WHERE $wake`,
);

export type DueMail = {
  id: string;
  recipient: string;
  subject: string;
  text_body: string | null;
  html_body: string | null;
  attempts: number;
};

/** Those who take mails do so one after the other, so that what they count holds. */
export const lockMails = sqlStatement<object, never>("SELECT pg_advisory_xact_lock(hashtextextended('mails', 0))");

type MailSearch = {
  limit: number;
  /** Goes on behind this team, over so many. */
  after: string;
  lanes: number;
  /** Those that the server has, which is not written down yet. */
  taken: string[];
};

export type Candidate = {
  id: string;
  team_id: string | null;
  recipient: string;
  /** It was counted at an earlier attempt. */
  counted: boolean;
  /** How many more of its team may be sent today, and of its team to its address this hour; null for mails of the service. */
  team_left: number | null;
  address_left: number | null;
};

/** One row comes back at least, to say how many teams were looked at and which was the last. */
export type FoundMail = (Candidate | { [Member in keyof Candidate]: null }) & { lanes: number; last: string | null };

const mostOf = (name: string) => `coalesce((SELECT q.most FROM team_quota q WHERE q.team_id = m.team_id AND q.name = '${name}'),
  (SELECT d.most FROM quota_default d WHERE d.name = '${name}'), 1000000000)`;
const countedIn = (period: string) =>
  `SELECT count(*) FROM mail_message s WHERE s.team_id = m.team_id AND s.budgeted AND s.counted_at > now() - interval '${period}'`;

/**
 * Finds due mails of teams in turn, each team's about accounts first: many mails of one delay nobody else's. Says what is left of
 * their teams' budgets.
 */
export const dueMails = sqlStatement<MailSearch, FoundMail>(
  `WITH RECURSIVE lane AS (
     (SELECT mail_lane(m.team_id) AS id, 1 AS step FROM mail_message m WHERE m.status = 'queued' AND mail_lane(m.team_id) > $after::uuid ORDER BY 1 LIMIT 1)
     UNION ALL
     SELECT n.id, l.step + 1 FROM lane l CROSS JOIN LATERAL (
       SELECT mail_lane(m.team_id) AS id FROM mail_message m WHERE m.status = 'queued' AND mail_lane(m.team_id) > l.id ORDER BY 1 LIMIT 1
     ) n WHERE l.step < $lanes
   ),
   picked AS (
     SELECT head.id, head.nth, head.next_at FROM lane l CROSS JOIN LATERAL (
       SELECT h.*, row_number() OVER (ORDER BY h.budgeted, h.next_at) AS nth FROM (
         SELECT m.id, m.budgeted, m.next_at FROM mail_message m
         WHERE m.status = 'queued' AND mail_lane(m.team_id) = l.id AND m.next_at <= now() AND (m.lease_until IS NULL OR m.lease_until < now())
           AND m.id <> ALL ($taken::uuid[])
         ORDER BY m.budgeted, m.next_at LIMIT $limit::int
       ) h
     ) head ORDER BY head.nth, head.next_at LIMIT $limit
   ),
   candidate AS (
     SELECT m.id, m.team_id, m.recipient, m.counted_at IS NOT NULL AS counted,
       CASE WHEN m.budgeted THEN ${mostOf('mails')} - (${countedIn('1 day')}) END AS team_left,
       CASE WHEN m.budgeted THEN ${mostOf('mailsToOneAddress')} - (${countedIn('1 hour')} AND s.recipient = m.recipient) END AS address_left,
       p.nth, p.next_at
     FROM picked p JOIN mail_message m ON m.id = p.id
   )
   SELECT c.id, c.team_id, c.recipient, c.counted, c.team_left, c.address_left, seen.lanes, seen.last
   FROM (SELECT count(*)::int AS lanes, (array_agg(id ORDER BY step DESC))[1] AS last FROM lane) seen LEFT JOIN candidate c ON true
   ORDER BY c.nth, c.next_at`,
);

/** Locks the rows in the order of their ids, as each statement that changes several does, so that no two wait for each other. */
const inOrder = (skip = '') => `id IN (SELECT k.id FROM mail_message k WHERE k.id = ANY ($ids::uuid[]) ORDER BY k.id FOR UPDATE ${skip})`;

/** Takes mails under a lease: a worker that dies leaves them to the next. */
export const claimMails = sqlStatement<{ ids: string[]; leaseSeconds: number }, DueMail>(
  `UPDATE mail_message SET lease_until = now() + make_interval(secs => $leaseSeconds), attempts = attempts + 1,
     counted_at = CASE WHEN budgeted THEN coalesce(counted_at, now()) END
   WHERE ${inOrder()} AND status = 'queued' AND (lease_until IS NULL OR lease_until < now())
   RETURNING id, recipient, subject, text_body, html_body, attempts`,
);

const putOff = (whose: string, period: string) =>
  `UPDATE mail_message SET next_at = greatest(now() + interval '1 second',
     (SELECT coalesce(min(s.counted_at), now()) + interval '${period}' FROM mail_message s
      WHERE s.team_id = $team ${whose.replace('m.', 's.')} AND s.budgeted AND s.counted_at > now() - interval '${period}'))
   WHERE id IN (SELECT m.id FROM mail_message m WHERE m.team_id = $team ${whose} AND m.status = 'queued' AND m.budgeted AND m.counted_at IS NULL AND m.next_at <= now())`;
/** Puts off mails whose budget is used up: those of a team until something of its day is free, or to an address, of its hour. */
export const putOffTeam = sqlStatement<{ team: string }, never>(putOff('', '1 day'));
export const putOffAddress = sqlStatement<{ team: string; recipient: string }, never>(putOff('AND m.recipient = $recipient', '1 hour'));

/** What was sent is erased: codes and links live no longer than needed. */
export const markSent = sqlStatement<{ ids: string[] }, never>(
  `UPDATE mail_message SET status = 'sent', sent_at = now(), lease_until = NULL, error = NULL, text_body = NULL, html_body = NULL WHERE ${inOrder()}`,
);

/** Mails stay with who sends them for longer; one that is being written down needs no more time. */
export const extendLeases = sqlStatement<{ ids: string[]; leaseSeconds: number }, never>(
  `UPDATE mail_message SET lease_until = now() + make_interval(secs => $leaseSeconds) WHERE ${inOrder('SKIP LOCKED')} AND status = 'queued'`,
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

/** One that is being sent is left for the next time. */
export const dropOldMails = sqlStatement<{ before: string }, never>(
  'DELETE FROM mail_message WHERE id IN (SELECT id FROM mail_message WHERE created_at < $before FOR UPDATE SKIP LOCKED)',
);
