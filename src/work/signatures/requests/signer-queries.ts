import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

export type SignerRow = RowWithout<
  'signature_signer',
  'decline_reason' | 'declined_at' | 'filled' | 'hash' | 'remind_at' | 'request_id' | 'team_id'
> & { filled: Record<string, string | boolean> | null };
const columns = `s.id, s.place, s.turn, s.role, s.email, s.email_key, s.name, s.account_id, s.status, s.sealed, s.sent_at, s.viewed_at, s.signed_at,
  s.typed_name, s.mark_kind, s.mark_text, s.mark_png, s.known, s.filled, s.locale, s.delegated_name, s.delegated_email, s.reminders, s.reminded_at, s.resent, s.resent_at,
  s.resent_since, s.code_hash, s.code_expires_at, s.code_tries, s.codes_sent, s.codes_since`;
/** The signers of a request, in order. */
export const signersOf = sqlStatement<{ team: string; request: string }, SignerRow>(
  `SELECT ${columns} FROM signature_signer s WHERE s.team_id = $team AND s.request_id = $request ORDER BY s.place`,
);

/** Finds the signer of a link by the hash of its token, in any team. */
export const signerByLink = sqlStatement<{ team: string; hash: Buffer }, { request_id: string; signer_id: string }>(
  'SELECT request_id, signer_id FROM signer_by_link($team, $hash)',
);

/** Stores the link of a signer whose turn it is. */
export const askSigner = sqlStatement<TeamScopedId & { hash: Buffer; sealed: Buffer; remindAt: Date | null; at: Date }, never>(
  `UPDATE signature_signer SET status = CASE WHEN status = 'waiting' AND role <> 'copy' THEN 'pending' ELSE status END, hash = $hash, sealed = $sealed, sent_at = $at, remind_at = $remindAt
   WHERE team_id = $team AND id = $id`,
);

export const viewSigner = sqlStatement<TeamScopedId & { at: Date }, never>(
  "UPDATE signature_signer SET status = 'viewed', viewed_at = $at WHERE team_id = $team AND id = $id AND status = 'pending'",
);

type Signed = TeamScopedId & {
  name: string;
  kind: string;
  text: string | null;
  png: Buffer | null;
  known: string;
  filled: string;
  at: Date;
};
export const signSigner = sqlStatement<Signed, { id: string }>(
  `UPDATE signature_signer SET status = 'signed', signed_at = $at, typed_name = $name, mark_kind = $kind, mark_text = $text, mark_png = $png, known = $known,
     filled = $filled, remind_at = NULL
   WHERE team_id = $team AND id = $id AND status IN ('pending', 'viewed') RETURNING id`,
);

export const declineSigner = sqlStatement<TeamScopedId & { reason: string | null; at: Date }, { id: string }>(
  `UPDATE signature_signer SET status = 'declined', declined_at = $at, decline_reason = $reason, remind_at = NULL
   WHERE team_id = $team AND id = $id AND status IN ('pending', 'viewed') RETURNING id`,
);

/** Ends the reminders of a request. */
export const endReminders = sqlStatement<{ team: string; request: string }, never>(
  'UPDATE signature_signer SET remind_at = NULL WHERE team_id = $team AND request_id = $request AND remind_at IS NOT NULL',
);

/** Replaces the person of a signer and invalidates the links, codes and counts of the previous one. */
export const replaceSigner = sqlStatement<
  TeamScopedId & {
    email: string;
    key: string;
    name: string;
    account: string | null;
    delegatedName: string | null;
    delegatedEmail: string | null;
  },
  never
>(
  `UPDATE signature_signer SET email = $email, email_key = $key, name = $name, account_id = $account, delegated_name = coalesce($delegatedName, delegated_name),
     delegated_email = coalesce($delegatedEmail, delegated_email), hash = NULL, sealed = NULL, sent_at = NULL, viewed_at = NULL,
     status = 'waiting', remind_at = NULL, reminders = 0, reminded_at = NULL, resent = 0, resent_at = NULL, resent_since = NULL,
     code_hash = NULL, code_expires_at = NULL, code_tries = 0, codes_sent = 0, codes_since = NULL
   WHERE team_id = $team AND id = $id`,
);
export const dropSessions = sqlStatement<{ team: string; signer: string }, never>(
  'DELETE FROM signature_session WHERE team_id = $team AND signer_id = $signer',
);

export const storeReminder = sqlStatement<TeamScopedId & { next: Date | null; at: Date }, never>(
  'UPDATE signature_signer SET reminders = reminders + 1, reminded_at = $at, remind_at = $next WHERE team_id = $team AND id = $id',
);

/** Records a resend. `count` is its number within the day that began at `since`. */
export const recordResent = sqlStatement<TeamScopedId & { count: number; since: Date; at: Date }, never>(
  'UPDATE signature_signer SET resent = $count, resent_since = $since, resent_at = $at WHERE team_id = $team AND id = $id',
);

export const setCode = sqlStatement<TeamScopedId & { hash: Buffer; expires: Date; sent: number; since: Date }, never>(
  `UPDATE signature_signer SET code_hash = $hash, code_expires_at = $expires, code_tries = 0, codes_sent = $sent, codes_since = $since
   WHERE team_id = $team AND id = $id`,
);
export const countCodeTry = sqlStatement<TeamScopedId, never>(
  'UPDATE signature_signer SET code_tries = code_tries + 1 WHERE team_id = $team AND id = $id',
);
export const useCode = sqlStatement<TeamScopedId, never>(
  'UPDATE signature_signer SET code_hash = NULL, code_expires_at = NULL WHERE team_id = $team AND id = $id',
);

export const insertSession = sqlStatement<{ team: string; id: string; signer: string; hash: Buffer; expires: Date }, never>(
  'INSERT INTO signature_session (team_id, id, signer_id, hash, expires_at) VALUES ($team, $id, $signer, $hash, $expires)',
);
export const findSession = sqlStatement<{ team: string; signer: string; hash: Buffer; at: Date }, { id: string }>(
  'SELECT id FROM signature_session WHERE team_id = $team AND hash = $hash AND signer_id = $signer AND expires_at > $at',
);

export const bindMember = sqlStatement<TeamScopedId & { account: string }, never>(
  'UPDATE signature_signer SET account_id = $account WHERE team_id = $team AND id = $id',
);
