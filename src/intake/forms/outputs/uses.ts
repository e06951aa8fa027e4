import { viewerOf } from '#access';
import type { FormOfTemplate, TemplateUses } from '#workflows';
import { notifyOfTemplate } from '../mails/index.ts';
import { accessToInterface } from '../policy.ts';
import { reachInterface } from '../queries.ts';
import { formsNaming } from './queries.ts';

/** The published forms that name a template, and the mails to their owners. */
export const usesOfTemplates: TemplateUses = {
  async of({ db, team, actor }, { kind, id }) {
    const found = await db.all(formsNaming, { team, kind, template: id });
    const forms: FormOfTemplate[] = [];
    for (const { id: form, title, owner_id: ownerId } of found) {
      const row = await db.first(reachInterface, { team, id: form, ...viewerOf(actor) });
      const isSeen = row !== undefined && accessToInterface(actor, row) !== undefined;
      forms.push({ id: form, ownerId, ...(isSeen ? { title } : {}) });
    }
    return forms;
  },
  notify(scope, forms, { kind, name }, change) {
    const by = 'id' in scope.actor ? scope.actor.id : undefined;
    for (const { id, ownerId } of forms) if (ownerId !== by) notifyOfTemplate(scope, id, { kind, template: name, change });
  },
};
