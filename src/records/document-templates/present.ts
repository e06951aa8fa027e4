import { levelOf, type ResourceAccess, teamLevelOf } from '#access';
import type { ReachedTemplate, TemplateVersionRow } from './queries.ts';
import type { Template, TemplateVersion, VersionSummary } from './schemas.ts';

const signersOf = ({ signers }: Pick<TemplateVersionRow, 'signers'>) => (signers === null ? {} : { signers });

/** Converts a row to the template of the API. Members without a value are absent. */
export function presentTemplate(row: ReachedTemplate, access: ResourceAccess<'template'>): Template {
  return {
    id: row.id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    version: row.number,
    ...signersOf(row),
    userId: row.user_id,
    access: levelOf(access),
    ...teamLevelOf(row.team_relations),
    ...(row.library_slug === null ? {} : { librarySlug: row.library_slug }),
    source: row.source,
    schema: row.schema,
    files: row.files as Template['files'],
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function presentVersionSummary(row: Omit<TemplateVersionRow, 'source' | 'schema' | 'files' | 'signers'>): VersionSummary {
  return { version: row.number, createdBy: row.created_by, createdByType: row.created_by_type, createdAt: row.created_at };
}

export function presentVersion(row: TemplateVersionRow): TemplateVersion {
  return {
    ...presentVersionSummary(row),
    ...signersOf(row),
    source: row.source,
    schema: row.schema,
    files: row.files as TemplateVersion['files'],
  };
}
