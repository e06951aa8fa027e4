import { barrierIsThere } from '#access';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { DateKind } from './calculate.ts';

type DocumentKey = { team: string; document: string };

export type DatesRow = RowWithout<'document_dates', 'created_at' | 'document_id' | 'team_id'>;
const columns = `s.effective_at, s.expires_at, s.notice_period, s.renewal, s.renewal_period, s.remind_before, s.starts_template, s.set_by, s.set_by_type,
  s.version, s.updated_at`;

export const datesOf = sqlStatement<DocumentKey, DatesRow>(
  `SELECT ${columns} FROM document_dates s WHERE s.team_id = $team AND s.document_id = $document`,
);

type NewDates = DocumentKey & {
  effectiveAt: string | null;
  expiresAt: string | null;
  noticePeriod: string | null;
  renewal: string;
  renewalPeriod: string | null;
  remindBefore: string;
  startsTemplate: string | null;
  by: string;
  byType: string;
  at: Date;
};

export const putDates = sqlStatement<NewDates, never>(
  `INSERT INTO document_dates AS s (team_id, document_id, effective_at, expires_at, notice_period, renewal, renewal_period, remind_before,
     starts_template, set_by, set_by_type, created_at, updated_at)
   VALUES ($team, $document, $effectiveAt, $expiresAt, $noticePeriod, $renewal, $renewalPeriod, $remindBefore, $startsTemplate, $by, $byType, $at, $at)
   ON CONFLICT (team_id, document_id) DO UPDATE SET effective_at = excluded.effective_at, expires_at = excluded.expires_at,
     notice_period = excluded.notice_period, renewal = excluded.renewal, renewal_period = excluded.renewal_period,
     remind_before = excluded.remind_before, starts_template = excluded.starts_template, set_by = excluded.set_by,
     set_by_type = excluded.set_by_type, version = s.version + 1, updated_at = excluded.updated_at`,
);

type Day = DocumentKey & { kind: DateKind; fallsOn: string; announce: Date | null; goOn: Date | null };

/**
 * Stores a coming day. A day that was already announced is not announced again after another change. Instead, it is checked again at `goOn`, after it
 * has passed.
 */
export const putDay = sqlStatement<Day, never>(
  `INSERT INTO document_date AS d (team_id, document_id, kind, falls_on, look_at) VALUES ($team, $document, $kind, $fallsOn, $announce)
   ON CONFLICT (team_id, document_id, kind) DO UPDATE SET falls_on = excluded.falls_on,
     look_at = CASE WHEN d.emitted_at IS NOT NULL AND d.falls_on = excluded.falls_on THEN $goOn::timestamptz ELSE excluded.look_at END,
     emitted_at = CASE WHEN d.falls_on = excluded.falls_on THEN d.emitted_at END`,
);

export const dropDay = sqlStatement<DocumentKey & { kind: DateKind }, never>(
  'DELETE FROM document_date WHERE team_id = $team AND document_id = $document AND kind = $kind',
);

export const datesJob = 'document-dates';

export type DueDay = { team: string; id: string; document: string; kind: DateKind };
const thing = "(d.document_id || ' ' || d.kind)";

/** Selects days that need work, the longest due first, and only a few of each team. */
export const dueDays = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, DueDay>(
  `SELECT due.team, due.id, due.document, due.kind FROM (
     SELECT d.team_id AS team, ${thing} AS id, d.document_id AS document, d.kind, d.look_at,
       row_number() OVER (PARTITION BY d.team_id ORDER BY d.look_at) AS place
     FROM document_date d WHERE d.look_at <= $now
       AND NOT job_waits('${datesJob}', d.team_id, ${thing}::text) AND team_active(d.team_id)
   ) due WHERE due.place <= $ofEachTeam ORDER BY due.look_at LIMIT $limit`,
);

type OneDay = DocumentKey & { kind: DateKind };
export type DocumentDay = DatesRow &
  Row<'document', 'title' | 'folder_id' | 'user_id' | 'barrier_id' | 'deleted_at'> & {
    falls_on: string;
    look_at: string | null;
    emitted_at: string | null;
  };

/** Selects one of these days with its document. */
export const dayOf = sqlStatement<OneDay, DocumentDay>(
  `SELECT d.falls_on, d.look_at, d.emitted_at, ${columns}, o.title, o.folder_id, o.user_id, barrier_now($team, o.folder_id, o.barrier_id) AS barrier_id, o.deleted_at
   FROM document_date d
   JOIN document_dates s ON s.team_id = $team AND s.document_id = d.document_id
   JOIN document o ON o.team_id = $team AND o.id = d.document_id
   WHERE d.team_id = $team AND d.document_id = $document AND d.kind = $kind`,
  barrierIsThere,
);

export const setDay = sqlStatement<OneDay & { fallsOn: string; lookAt: Date | null; emittedAt: Date | null }, never>(
  `UPDATE document_date SET falls_on = $fallsOn, look_at = $lookAt, emitted_at = $emittedAt
   WHERE team_id = $team AND document_id = $document AND kind = $kind`,
);
