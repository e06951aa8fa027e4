import type { Text } from '#fields';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { FormBinding } from '../form-binding.ts';
import type { Definition } from '../schemas.ts';
import type { NamedRecords } from '../submit/index.ts';

export type SubmittedRow = Row<'submission', 'interface_id' | 'version' | 'locale' | 'created_at'> & {
  /** `null` after an erasure. */
  data: Record<string, unknown> | null;
  definition: Definition;
  /** Copies of the records in the answers, and the order of the fields of their registries. */
  records: NamedRecords | null;
  bindings: FormBinding[];
};

/** Returns the data for the PDF of a submission. */
export const submittedAnswers = sqlStatement<TeamScopedId, SubmittedRow>(
  `SELECT s.interface_id, s.version, s.data, s.locale, s.created_at, v.definition, s.records, v.bindings
   FROM submission s JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   WHERE s.team_id = $team AND s.id = $id`,
);

export type UploadRow = Row<'submission_upload', 'id' | 'name' | 'size' | 'sha256' | 'media_type' | 'storage_key'>;

/** Returns the files of a submission. */
export const uploadsOfSubmission = sqlStatement<TeamScopedId, UploadRow>(
  'SELECT id, name, size::float8 AS size, sha256, media_type, storage_key FROM submission_upload WHERE team_id = $team AND submission_id = $id ORDER BY id',
);

export type SessionDocumentRow = {
  id: string;
  locale: string | null;
  title: Text;
  settings: Definition['publicSettings'];
  /** The id of the document of the submission, if the form creates documents and the creation succeeded. */
  document_id: string | null;
};

/** Returns the last submission of a session, with the data for the name of its document. */
export const documentOfSession = sqlStatement<{ team: string; session: string }, SessionDocumentRow>(
  `SELECT s.id, s.locale, v.definition -> 'title' AS title, v.definition -> 'publicSettings' AS settings, e.result_id AS document_id
   FROM submission s
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   LEFT JOIN submission_effect e ON e.team_id = $team AND e.submission_id = s.id AND e.kind = 'document'
   WHERE s.team_id = $team AND s.session_id = $session
   ORDER BY s.id DESC LIMIT 1`,
  { title: 'a definition has a title', settings: 'a definition has settings' },
);

/** Records the result of the PDF of a submission. Returns no row if the submission no longer exists. */
export const storeDocumentResult = sqlStatement<
  TeamScopedId & { status: 'done' | 'failed'; code: string | null; detail: string | null; at: Date },
  { interface_id: string }
>(
  `WITH settled AS (
     UPDATE submission_effect SET status = $status, code = $code, detail = $detail, updated_at = $at
     WHERE team_id = $team AND submission_id = $id AND kind = 'pdf' RETURNING submission_id
   )
   SELECT s.interface_id FROM submission s JOIN settled ON settled.submission_id = s.id WHERE s.team_id = $team`,
);
