import { resourceQueries } from '#access';
import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** A file of a version, as listed in the row of the version. */
export type KeptFile = { path: string; mediaType: string; size: number; sha256: string };

export type TemplateRow = RowWithout<'document_template', 'container_id' | 'team_id'> & {
  source: string;
  schema: Record<string, unknown>;
  files: KeptFile[];
  signers: string[] | null;
};
/** A template with the relations of the caller and of the whole team. */
export type ReachedTemplate = TemplateRow & { relations: string[]; team_relations: string[] };

/** Statements for templates with their newest version. */
export const templates = resourceQueries<TemplateRow>({
  type: 'template',
  table: 'document_template',
  owner: 'user_id',
  columns: `r.id, r.name, r.description, r.user_id, r.created_by, r.created_by_type, r.library_slug, r.version, r.number, v.source, v.schema,
     v.files, v.signers, r.created_at, r.updated_at`,
  joins: 'JOIN document_template_version v ON v.team_id = $team AND v.template_id = r.id AND v.number = r.number',
  members: {
    id: 'r.id',
    name: 'r.name',
    description: 'r.description',
    version: 'r.number',
    signers: '(SELECT v.signers FROM document_template_version v WHERE v.team_id = $team AND v.template_id = r.id AND v.number = r.number)',
    userId: 'r.user_id',
    librarySlug: 'r.library_slug',
    createdBy: 'r.created_by',
    createdByType: 'r.created_by_type',
  },
});
export const listTemplates = templates.list('true');
export const templatesNamed = templates.among('true');

type New = TeamScopedId & {
  name: string;
  description: string | null;
  slug: string | null;
  user: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertTemplate = sqlStatement<New, never>(
  `INSERT INTO document_template (team_id, id, name, description, user_id, created_by, created_by_type, library_slug, created_at, updated_at)
   VALUES ($team, $id, $name, $description, $user, $by, $byType, $slug, $at, $at)`,
);

export const updateTemplate = sqlStatement<TeamScopedId & { name: string; description: string | null; number: number; at: Date }, never>(
  `UPDATE document_template SET name = $name, description = $description, number = $number, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const deleteTemplate = sqlStatement<TeamScopedId, never>('DELETE FROM document_template WHERE team_id = $team AND id = $id');

type NewVersion = {
  team: string;
  template: string;
  number: number;
  source: string;
  schema: string;
  files: string;
  signers: readonly string[] | null;
  by: string;
  byType: string;
  at: Date;
};
export const insertVersion = sqlStatement<NewVersion, never>(
  `INSERT INTO document_template_version (team_id, template_id, number, source, schema, files, signers, created_by, created_by_type, created_at)
   VALUES ($team, $template, $number, $source, $schema, $files, $signers, $by, $byType, $at)`,
);

/** Deletes versions that are too old, then pictures that no version uses. */
export const dropVersions = sqlStatement<{ team: string; template: string; upTo: number }, never>(
  'DELETE FROM document_template_version WHERE team_id = $team AND template_id = $template AND number <= $upTo',
);
export const dropFiles = sqlStatement<{ team: string; template: string }, never>(
  `DELETE FROM document_template_file f WHERE f.team_id = $team AND f.template_id = $template AND NOT EXISTS (
     SELECT FROM document_template_version v, jsonb_array_elements(v.files) one
     WHERE v.team_id = $team AND v.template_id = $template AND one->>'sha256' = f.sha256
   )`,
);

export const insertFile = sqlStatement<{ team: string; template: string; sha256: string; size: number; content: Buffer }, never>(
  `INSERT INTO document_template_file (team_id, template_id, sha256, size, content) VALUES ($team, $template, $sha256, $size, $content)
   ON CONFLICT DO NOTHING`,
);
export const readFiles = sqlStatement<{ team: string; template: string; hashes: readonly string[] }, { sha256: string; content: Buffer }>(
  'SELECT sha256, content FROM document_template_file WHERE team_id = $team AND template_id = $template AND sha256 = ANY ($hashes)',
);

export type TemplateVersionRow = RowWithout<'document_template_version', 'files' | 'schema' | 'team_id' | 'template_id'> & {
  schema: Record<string, unknown>;
  files: KeptFile[];
};
/** The stored versions, newest first, without their content. */
export const listVersions = sqlStatement<
  { team: string; template: string },
  Omit<TemplateVersionRow, 'source' | 'schema' | 'files' | 'signers'>
>(
  `SELECT number, created_by, created_by_type, created_at FROM document_template_version
   WHERE team_id = $team AND template_id = $template ORDER BY number DESC LIMIT 200`,
);
export const findVersion = sqlStatement<{ team: string; template: string; number: number }, TemplateVersionRow>(
  `SELECT number, source, schema, files, signers, created_by, created_by_type, created_at FROM document_template_version
   WHERE team_id = $team AND template_id = $template AND number = $number`,
);
