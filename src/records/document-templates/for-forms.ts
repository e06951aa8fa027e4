import { createDocument } from '#documents';
import type { TemplatesForForms } from '#forms';
import { type FieldPlace, keepFieldPlaces } from '#signatures';
import { record } from '../../platform/journal/record.ts';
import { readableTemplate } from './access.ts';
import { documentMade } from './events.ts';
import { openTemplates } from './for-batches.ts';
import { fileNameOf, storeOrigin } from './make.ts';
import { most } from './schemas.ts';
import { templates as templateStatements } from './queries.ts';
import { refuseTooLarge } from './service.ts';
import type { DocumentRenderer } from './setting.ts';

/** The use cases of templates for the outputs of forms. */
export function templatesForForms(setting: DocumentRenderer): TemplatesForForms {
  const templates = openTemplates(setting);
  return {
    read: (scope, id) => templates.read(scope, id),
    hold: async ({ db, team }, id) => (await db.first(templateStatements.hold, { team, id })) !== undefined,
    compare: (team, schema, values) => templates.compare(team, schema, values),
    render(scope, template, data) {
      refuseTooLarge('data', JSON.stringify(data), most.data);
      return templates.set(scope, template, data);
    },
    async create(scope, { template: { id, version }, file, places, title, folderId, submissionId }) {
      // Rendering takes time, so this checks again that the actor may use the template.
      const { template, access } = await readableTemplate(scope, id);
      const upload = { ...file, fileName: fileNameOf(title), mediaType: 'application/pdf' };
      const made = await createDocument(scope, { title, ...(folderId === null ? {} : { folderId }) }, upload);
      const { id: documentId } = made.value;
      storeOrigin(scope, { document: documentId, template: template.id, number: version, source: 'submission', sourceId: submissionId });
      keepFieldPlaces(scope, documentId, places as FieldPlace[]);
      const data = { documentId, version, source: 'submission' as const, sourceId: submissionId };
      await record(scope, documentMade, template.id, { ...data, ...(access.via === 'role' ? { via: 'role' as const } : {}) });
      return documentId;
    },
  };
}
