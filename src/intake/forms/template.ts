import { actorToday } from '#documents';
import { stateOfTemplate, type TemplateState } from '#workflows';
import { type Actor, isTeamManager, type Scope } from '../../platform/scope.ts';
import { interfaceProblems } from './problems.ts';
import { templateAtPublish } from './queries.ts';

/*
 * A form can start a workflow from a template that another member can change. The steps of the template determine who can read the
 * submissions. The member who configured the effect therefore approves a state of the template: later changes by others apply only
 * after the form is published again.
 */

type Last = { uses_by: string; template_hash: string | null } | undefined;
type Publication = { by: string; changed: boolean; mayGive: boolean; template: string | undefined };

/** Returns the member whose rights the effects of the form use after this change, and the state of the template that this member approved. */
export async function givenBy(
  scope: Scope,
  last: Last,
  { by, changed, mayGive, template }: Publication,
): Promise<{ usesBy: string; templateHash: string | null }> {
  const templateHash = template === undefined ? null : ((await stateOfTemplate(scope, template))?.hash ?? null);
  const isRenewed = !last || changed || (mayGive && templateHash !== last.template_hash);
  return isRenewed ? { usesBy: by, templateHash } : { usesBy: last.uses_by, templateHash: last.template_hash };
}

/**
 * Rejects a template that differs from the approved state. Accepts changes by the person who approved it, by the owner and by administrators. Throws
 * 409 `template_changed`.
 */
export async function requireSeen(
  scope: Scope,
  { form, name, grantor }: { form: string; name: string; grantor: Actor },
  { hash, stepsBy }: TemplateState,
): Promise<void> {
  const seen = await scope.db.first(templateAtPublish, { team: scope.team, id: form, name });
  if (seen?.template_hash === hash || (stepsBy !== null && 'id' in grantor && grantor.id === stepsBy)) return;
  const changer = stepsBy === null ? undefined : await actorToday(scope, stepsBy);
  if (changer && isTeamManager(changer)) return;
  throw interfaceProblems.template_changed(
    `The template “${name}” changed after the publication of the form. Ask a member who can read the submissions to check its steps and publish the form again.`,
  );
}
