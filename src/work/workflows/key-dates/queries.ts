import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type DocumentKey = { team: string; document: string };
export type DateTemplate = Row<'date_template', 'template' | 'hash' | 'set_by'>;

/** Serializes the starts for the dates of a document, so that each date starts a workflow once. */
export const lockStart = sqlStatement<DocumentKey, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('date workflow ' || $team || ' ' || $document, 0)) AS locked",
);

/** The template to start for a date; returns no row without a template, or if the date has already started it. */
export const templateToStart = sqlStatement<DocumentKey & { date: string }, DateTemplate>(
  `SELECT template, hash, set_by FROM date_template
   WHERE team_id = $team AND document_id = $document AND template <> '' AND NOT $date = ANY (started)`,
);

export const keepTemplate = sqlStatement<DocumentKey & { template: string; hash: string | null; by: string; at: Date }, never>(
  `INSERT INTO date_template AS t (team_id, document_id, template, hash, set_by, set_at) VALUES ($team, $document, $template, $hash, $by, $at)
   ON CONFLICT (team_id, document_id) DO UPDATE SET template = excluded.template, hash = excluded.hash, set_by = excluded.set_by, set_at = excluded.set_at`,
);

/** Removes the template. Keeps the record of dates that have started a workflow, in case a template is set again. */
export const dropTemplate = sqlStatement<DocumentKey, never>(
  "UPDATE date_template SET template = '', hash = NULL WHERE team_id = $team AND document_id = $document",
);

export const recordStarted = sqlStatement<DocumentKey & { date: string }, never>(
  'UPDATE date_template SET started = started || $date::text WHERE team_id = $team AND document_id = $document',
);
