import { notFound } from '../../platform/identifiers.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { readableTemplate } from './access.ts';
import * as queries from './queries.ts';
import { picturesOf } from './service.ts';
import type { Misfit, SetDocument, DocumentRenderer } from './setting.ts';

/** The use cases of templates for batches of documents. */
export type OpenTemplates = {
  /** Returns the newest version of a template that the actor may use. Errors: 404. */
  read(
    scope: ReadScope,
    id: string,
  ): Promise<{ id: string; name: string; version: number; schema: Record<string, unknown>; signers: readonly string[] | null }>;
  /** Validates many values against a schema at once and returns the errors. Errors: 422 `document_limit_exceeded`, 429. */
  compare(team: string, schema: Record<string, unknown>, values: readonly unknown[]): Promise<Misfit[]>;
  /** Renders a document from a version of a template that the actor may still use. Errors: 404, 422, 429. */
  set(scope: ReadScope, of: { id: string; version: number }, data: unknown): Promise<SetDocument>;
};

export function openTemplates(setting: DocumentRenderer): OpenTemplates {
  return {
    async read(scope, id) {
      const { template } = await readableTemplate(scope, id);
      return { id: template.id, name: template.name, version: template.number, schema: template.schema, signers: template.signers };
    },
    compare: (team, schema, values) => setting.compare(team, schema, values),
    async set(scope, { id, version }, data) {
      const { template } = await readableTemplate(scope, id);
      const found = await scope.db.first(queries.findVersion, { team: scope.team, template: template.id, number: version });
      if (!found) throw notFound('version of this template');
      const pictures = await picturesOf(scope, { id: template.id, files: found.files });
      return setting.document(scope.team, { source: found.source, schema: found.schema, pictures }, data);
    },
  };
}
