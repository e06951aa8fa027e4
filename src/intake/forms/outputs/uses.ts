import { viewerOf } from '#access';
import { inReason } from '#fields';
import { type FormOfTemplate, requireStartable, type TemplateUses } from '#workflows';
import { type Actor, isTeamManager, type Scope } from '../../../platform/scope.ts';
import { notifyOfTemplate } from '../mails/index.ts';
import { accessToInterface } from '../policy.ts';
import { reachInterface } from '../queries.ts';
import type { Definition } from '../schemas.ts';
import { errorsIn, errorsOfStart, examineOutput } from './examine.ts';
import { formsNaming, publishedForm } from './queries.ts';
import type { TemplatesForForms } from './templates.ts';

/** The published forms that name a template, the check of its change against them, and the mails to their owners. */
export const usesOfTemplates = (templates: () => TemplatesForForms): TemplateUses => ({
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
  async misfits(scope, { kind, id: name }, forms) {
    // A form uses the version of its publication of a document template.
    if (kind !== 'workflow') return [];
    const misfits: FormOfTemplate[] = [];
    for (const form of forms) {
      const row = await scope.db.first(publishedForm, { team: scope.team, id: form.id });
      if (!row || !takesEffect(scope.actor, row.uses_by)) continue;
      const reasons = await reasonsOf(templates, scope, { definition: row.definition, name });
      if (reasons.length > 0) misfits.push({ ...form, reasons: reasons.slice(0, 20) });
    }
    return misfits;
  },
  notify(scope, forms, { kind, name }, change) {
    const by = 'id' in scope.actor ? scope.actor.id : undefined;
    for (const { id, ownerId } of forms) if (ownerId !== by) notifyOfTemplate(scope, id, { kind, template: name, change });
  },
});

/** Whether a form uses a workflow template as this actor changes it, without another publication: see `requireSameState`. */
const takesEffect = (actor: Actor, grantor: string): boolean => isTeamManager(actor) || ('id' in actor && actor.id === grantor);

/** Returns why a published form could not be published with a workflow template as it is in this transaction. */
async function reasonsOf(
  templates: () => TemplatesForForms,
  scope: Scope,
  { definition, name }: { definition: Definition; name: string },
): Promise<string[]> {
  const examining = { templates, scope, definition };
  const { then = [], startsTemplate } = definition.config;
  const errors = [];
  for (const [place, output] of then.entries())
    if (output.make === 'workflow' && output.template === name)
      errors.push(...(await examineOutput(examining, output, `/config/then/${place}`)).errors);
  if (startsTemplate === name) {
    errors.push(...(await errorsOfStart(examining)));
    await requireStartable(scope, name).catch((error: unknown) => errors.push(...errorsIn(error, '/config/startsTemplate')));
  }
  return errors.map(inReason).map(({ pointer, reason }) => `${pointer} ${reason}`);
}
