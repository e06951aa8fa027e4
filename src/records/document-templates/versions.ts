import { notFound } from '../../platform/identifiers.ts';
import type { ReadScope } from '../../platform/scope.ts';
import type { AccessibleTemplate } from './access.ts';
import { presentVersion, presentVersionSummary } from './present.ts';
import * as queries from './queries.ts';
import type { TemplateVersion, VersionSummary } from './schemas.ts';

/** Lists the stored versions of a template, newest first. */
export async function listVersions({ db, team }: ReadScope, { template }: AccessibleTemplate): Promise<VersionSummary[]> {
  return (await db.all(queries.listVersions, { team, template: template.id })).map(presentVersionSummary);
}

/** Returns one version of a template. Errors: 404. */
export async function getVersion({ db, team }: ReadScope, { template }: AccessibleTemplate, version: string): Promise<TemplateVersion> {
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
  const row = await db.first(queries.findVersion, { team, template: template.id, number });
  if (!row) throw notFound('version of this template');
  return presentVersion(row);
}
