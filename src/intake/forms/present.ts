import { localesOf } from '#fields';
import { usualUploads } from './definition.ts';
import type { InterfaceRow } from './queries.ts';
import type { Definition, ManagedInterface } from './schemas.ts';

/** Fills in the defaults of the settings. */
export function withDefaults({ config, publicSettings }: Pick<Definition, 'config' | 'publicSettings'>) {
  const [locale, ...others] = localesOf({ publicSettings });
  return {
    config: {
      requireAltcha: false,
      drafts: false,
      notify: [],
      createsDocument: false,
      ...config,
      uploads: { ...usualUploads, ...config.uploads },
    },
    publicSettings: { theme: 'auto' as const, showProgress: true, allowPdf: true, ...publicSettings, locale, locales: [locale, ...others] },
  };
}

/** Returns the form for its managers: the draft and the state of its publication. */
export function presentInterface(row: InterfaceRow): ManagedInterface {
  const { title, description, fields } = row.draft;
  return {
    id: row.id,
    title,
    ...(description === undefined ? {} : { description }),
    type: row.type,
    status: row.suspended ? 'suspended' : row.status,
    ...(row.suspended_reason === null ? {} : { suspendedReason: row.suspended_reason }),
    userId: row.owner_id,
    ...(row.matter_id === null ? {} : { matterId: row.matter_id }),
    fields,
    ...(row.calendar === null ? {} : { calendar: row.calendar }),
    ...withDefaults(row.draft),
    revision: row.revision,
    ...(row.published_version === null ? {} : { publishedVersion: row.published_version }),
    ...(row.published_revision === null ? {} : { publishedRevision: row.published_revision }),
    ...(row.published_at === null ? {} : { publishedAt: row.published_at }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
