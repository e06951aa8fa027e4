import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';

/** A template that forms can name. */
export type NamedTemplate = { kind: 'workflow' | 'document'; id: string; name: string };

/** A published form that names a template. The title is absent if the actor cannot see the form. `reasons`: the errors of a change for the form. */
export type FormOfTemplate = { id: string; ownerId: string; title?: string; reasons?: string[] };

/** The published forms that name templates. The domain forms passes it at the start. */
export type TemplateUses = {
  of: (scope: Scope, template: NamedTemplate) => Promise<readonly FormOfTemplate[]>;
  /** Returns the forms in which the change of the actor takes effect at once, and that could not be published with it. */
  misfits: (scope: Scope, template: NamedTemplate, forms: readonly FormOfTemplate[]) => Promise<readonly FormOfTemplate[]>;
  /** Mails the owners of the forms, except the actor. */
  notify: (scope: Scope, forms: readonly FormOfTemplate[], template: NamedTemplate, change: 'changed' | 'deleted') => void;
};

/** The uses, once the domain forms has started. */
export class TemplateUsesPort {
  #uses: TemplateUses | undefined;

  use(uses: TemplateUses): void {
    this.#uses = uses;
  }

  get uses(): TemplateUses {
    if (!this.#uses) throw new Error('the forms have not started');
    return this.#uses;
  }
}

/**
 * Mails the owners of the published forms that name a changed template. Rejects a change that would take effect at once
 * in a published form that it does not fit, unless `force` is set. Errors: 409 `template_in_use`.
 */
export async function templateChanged(uses: TemplateUses, scope: Scope, template: NamedTemplate, force = false): Promise<void> {
  const forms = await uses.of(scope, template);
  const misfits = force ? [] : await uses.misfits(scope, template, forms);
  if (misfits.length > 0)
    throw inUse(misfits, {
      what:
        misfits.length === 1 ? 'This change does not fit a published form' : `This change does not fit ${misfits.length} published forms`,
      next: 'Change the forms first',
    });
  uses.notify(scope, forms, template, 'changed');
}

/** Allows the deletion of a template that no published form names. With `force`, mails the owners of the forms. Errors: 409 `template_in_use`. */
export async function requireUnused(uses: TemplateUses, scope: Scope, template: NamedTemplate, force: boolean): Promise<void> {
  const forms = await uses.of(scope, template);
  if (forms.length === 0) return;
  if (force) return uses.notify(scope, forms, template, 'deleted');
  throw inUse(forms, {
    what: `${forms.length === 1 ? 'A published form names' : `${forms.length} published forms name`} this template`,
    next: 'Publish the forms without it',
  });
}

function inUse(forms: readonly FormOfTemplate[], { what, next }: { what: string; next: string }): Error {
  const shown = forms.flatMap(({ id, title, reasons }) =>
    title === undefined ? [] : [{ id, title, ...(reasons === undefined ? {} : { reasons }) }],
  );
  const hidden = forms.length - shown.length;
  const more = hidden === 0 ? '' : ` You cannot see ${hidden} of them.`;
  return workflowProblems.template_in_use(`${what}.${more} ${next}, or send \`force=true\`, which mails their owners.`, {
    members: { forms: shown },
  });
}
