import { isDeepStrictEqual } from 'node:util';
import { actorToday } from '#documents';
import { stateOfTemplate, type TemplateState } from '#workflows';
import { type Actor, isTeamManager, type Scope } from '../../platform/scope.ts';
import { interfaceProblems } from './problems.ts';
import type { OutputStates } from './outputs/states.ts';
import { templateAtPublish } from './queries.ts';
import type { Definition } from './schemas.ts';

/*
 * A form can start a workflow from a template that another member can change. The steps of the template determine who can read the
 * submissions. The member who configured the effect therefore approves a state of the template: later changes by others apply only
 * after the form is published again.
 */

type Last = { uses_by: string; template_hash: string | null; outputs: OutputStates } | undefined;
type Publication = {
  by: string;
  changed: boolean;
  mayGive: boolean;
  config: Pick<Definition['config'], 'startsTemplate'>;
  outputs: OutputStates;
};
type ApprovedStates = { usesBy: string; templateHash: string | null; outputs: OutputStates };

/** Returns the member whose rights the effects of the form use after this change, and the states of the templates that this member approved. */
export async function givenBy(scope: Scope, last: Last, { by, changed, mayGive, config, outputs }: Publication): Promise<ApprovedStates> {
  const { startsTemplate } = config;
  const templateHash = startsTemplate === undefined ? null : ((await stateOfTemplate(scope, startsTemplate))?.hash ?? null);
  const differs = templateHash !== last?.template_hash || !isDeepStrictEqual(outputs, last.outputs);
  if (!last || changed || (mayGive && differs)) return { usesBy: by, templateHash, outputs };
  return { usesBy: last.uses_by, templateHash: last.template_hash, outputs: last.outputs };
}

/**
 * Rejects a template that differs from the approved state. Accepts changes by the person who approved it, by the owner and by administrators. Throws
 * 409 `template_changed`.
 */
export async function requireSeen(
  scope: Scope,
  { form, name, grantor }: { form: string; name: string; grantor: Actor },
  state: TemplateState,
): Promise<void> {
  const seen = await scope.db.first(templateAtPublish, { team: scope.team, id: form, name });
  await requireSameState(scope, { name, grantor, seen: seen?.template_hash ?? null }, state);
}

/** Like {@link requireSeen}, with the approved state. */
export async function requireSameState(
  scope: Scope,
  { name, grantor, seen }: { name: string; grantor: Actor; seen: string | null },
  { hash, stepsBy }: TemplateState,
): Promise<void> {
  if (seen === hash || (stepsBy !== null && 'id' in grantor && grantor.id === stepsBy)) return;
  const changer = stepsBy === null ? undefined : await actorToday(scope, stepsBy);
  if (changer && isTeamManager(changer)) return;
  throw interfaceProblems.template_changed(
    `The template “${name}” changed after the publication of the form. Ask a member who can read the submissions to check its steps and publish the form again.`,
  );
}
