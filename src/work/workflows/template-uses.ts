import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';

/** A template that forms can name. */
export type NamedTemplate = { kind: 'workflow' | 'document'; id: string; name: string };

/** A published form that names a template. The title is absent if the actor cannot see the form. */
export type FormOfTemplate = { id: string; ownerId: string; title?: string };

/** The published forms that name templates. The domain forms passes it at the start. */
export type TemplateUses = {
  of: (scope: Scope, template: NamedTemplate) => Promise<readonly FormOfTemplate[]>;
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

/** Mails the owners of the published forms that name a changed template. */
export async function templateChanged(uses: TemplateUses, scope: Scope, template: NamedTemplate): Promise<void> {
  uses.notify(scope, await uses.of(scope, template), template, 'changed');
}

/** Allows the deletion of a template that no published form names. With `force`, mails the owners of the forms. Errors: 409 `template_in_use`. */
export async function requireUnused(uses: TemplateUses, scope: Scope, template: NamedTemplate, force: boolean): Promise<void> {
  const forms = await uses.of(scope, template);
  if (forms.length === 0) return;
  if (force) return uses.notify(scope, forms, template, 'deleted');
  const shown = forms.flatMap(({ id, title }) => (title === undefined ? [] : [{ id, title }]));
  const hidden = forms.length - shown.length;
  const more = hidden === 0 ? '' : ` You cannot see ${hidden} of them.`;
  throw workflowProblems.template_in_use(
    `${forms.length === 1 ? 'A published form names' : `${forms.length} published forms name`} this template.${more} Publish the forms without it, or send \`force=true\`, which mails their owners.`,
    { members: { forms: shown } },
  );
}
