import { applyMapping, holds, type MappingFinding, valuesOfSubmission, warningsOf, localesOf } from '#fields';
import { bindableRegistry, requireSubmittable } from '#registries';
import { requireStartable } from '#workflows';
import { Problem } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { editableInterface } from '../access.ts';
import type { Definition } from '../schemas.ts';
import { requireScopesOf } from '../submission-actions.ts';
import { takeAnswers } from '../submit/answers.ts';
import { compareOutput, sampleId } from './publish.ts';
import type { Output, OutputTrial, TrialProblem } from './schemas.ts';
import { targetOf } from './targets.ts';
import type { TemplatesForForms } from './templates.ts';

type Trying = { templates: TemplatesForForms; scope: ReadScope; definition: Definition };

/**
 * Checks the outputs of a draft with the rights of the caller, and with `data` also for these answers. It creates nothing. Errors: 403, 404, 413, 422
 * `submission_invalid`, 429.
 */
export async function tryOutputs(
  templates: TemplatesForForms,
  scope: ReadScope,
  id: string,
  data: Record<string, unknown> | undefined,
): Promise<{ outputs: OutputTrial[] }> {
  const { row } = await editableInterface(scope, id);
  const trying = { templates, scope, definition: row.draft };
  const [locale] = localesOf(row.draft);
  const answers = data === undefined ? undefined : (await takeAnswers(row.draft, data, { locale, team: scope.team })).values;
  const outputs: OutputTrial[] = [];
  for (const [place, output] of (row.draft.config.then ?? []).entries())
    outputs.push(await tryOutput(trying, output, `/config/then/${place}`, answers));
  return { outputs };
}

async function tryOutput(trying: Trying, output: Output, at: string, answers: Record<string, unknown> | undefined): Promise<OutputTrial> {
  const { templates, scope, definition } = trying;
  const { id, make, when } = output;
  try {
    requireScopesOf(scope.actor, [output]);
    const { target, state } = await targetOf(() => templates, scope, output, at);
    const { errors, places } = compareOutput(definition, target);
    const refused = errors.map((one) => problemOf(one, 'error'));
    if (!answers || refused.length > 0) {
      const warnings = answers ? [] : warningsOf(places, target.at, target.called).map((one) => problemOf(one, 'warning'));
      return { id, make, ok: refused.length === 0, problems: [...refused, ...warnings] };
    }
    const values = valuesOf(definition, answers);
    if (when !== undefined && !holds(when, values.valueOf)) return { id, make, ok: true, isSkipped: true, problems: [] };
    const filled = applyMapping(target.mapping, values);
    const found = await problemsOf(() => tryValues(trying, output, state, filled), target.at);
    return { id, make, ok: found.length === 0, problems: found, values: filled };
  } catch (error) {
    return { id, make, ok: false, problems: problemsIn(error, at) };
  }
}

const valuesOf = ({ fields, publicSettings }: Definition, answers: Record<string, unknown>) => {
  const locales = localesOf({ publicSettings });
  return valuesOfSubmission({ fields, locales }, { id: sampleId, at: new Date(0), locale: locales[0], values: answers });
};

/** Checks values as the output would, without its effects. */
async function tryValues(
  { templates, scope }: Trying,
  { make, templateId = '', template = '', documents = [], registryId = '', pending = false }: Output,
  state: number | string | null,
  values: Record<string, unknown>,
): Promise<void> {
  if (make === 'document') await templates.render(scope, { id: templateId, version: Number(state) }, values);
  else if (make === 'workflow')
    await requireStartable(scope, template, { parameters: values, ...(documents.length === 0 ? {} : { documents }) });
  else await requireSubmittable(scope, await bindableRegistry(scope, registryId), { data: values, pending });
}

async function problemsOf(work: () => Promise<void>, at: string): Promise<TrialProblem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return problemsIn(error, at);
  }
}

const ofValue = /^\/(?:data|parameters)\//;

/** Returns the errors of a rejection at the places of the mapping. Rethrows other errors, and a lack of capacity. */
function problemsIn(error: unknown, at: string): TrialProblem[] {
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error;
  const { code, detail, errors = [] } = error;
  if (errors.length === 0) return [{ pointer: at, reason: detail, rule: code, severity: 'error' }];
  return errors.map(({ pointer, reason, rule }) => {
    const place = placeOf(pointer, at);
    return place === undefined
      ? { pointer: at, reason: `${pointer} of the template ${reason}`, rule, severity: 'error' }
      : { pointer: place, reason, rule, severity: 'error' };
  });
}

/** Returns the place of the mapping; undefined for an error elsewhere, such as in a step. */
function placeOf(pointer: string, at: string): string | undefined {
  if (pointer.startsWith('/config/then/')) return pointer;
  return ofValue.test(pointer) ? `${at}/${pointer.replace(ofValue, '').replaceAll('/', '.')}` : undefined;
}

const problemOf = ({ pointer, reason, rule, example }: MappingFinding, severity: TrialProblem['severity']): TrialProblem => ({
  pointer,
  reason,
  rule,
  severity,
  ...(example === undefined ? {} : { example }),
});
