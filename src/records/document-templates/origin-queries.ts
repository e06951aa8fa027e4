import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

type DocumentKey = { team: string; document: string };
type OriginKind = 'data' | 'submission' | 'record';

export const insertOrigin = sqlStatement<
  DocumentKey & { template: string; number: number; source: OriginKind; sourceId: string | null },
  never
>(
  `INSERT INTO document_from_template (team_id, document_id, template_id, number, source, source_id)
   VALUES ($team, $document, $template, $number, $source, $sourceId)`,
);

/** The template and the source of values of a document. Returns no row if it was not created from a template. */
export const findOrigin = sqlStatement<DocumentKey, RowWithout<'document_from_template', 'document_id' | 'team_id'>>(
  'SELECT template_id, number, source, source_id FROM document_from_template WHERE team_id = $team AND document_id = $document',
);
