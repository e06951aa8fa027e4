import { applyMapping, holds, localesOf, type MappingFinding, valuesOfSubmission } from '#fields';
import { bindableRegistry, requireSubmittable } from '#registries';
import { requireStartable } from '#workflows';
import type { ReadScope } from '../../../platform/scope.ts';
import { editableInterface } from '../access.ts';
import type { Definition } from '../schemas.ts';
import { requireScopesOf } from '../submission-actions.ts';
import { refuseUnknownAnswers, takeAnswers } from '../submit/answers.ts';
import { timeMembers } from '../submit/booking.ts';
import { errorsIn, type ExaminedOutput, examineOutputs, sampleId, warningsOfOutput } from './examine.ts';
import type { Output, OutputTrial, TrialProblem } from './schemas.ts';
import type { TemplatesForForms } from './templates.ts';

type Trying = { templates: () => TemplatesForForms; scope: ReadScope; definition: Definition };

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
  const trying = { templates: () => templates, scope, definition: row.draft };
  const [locale] = localesOf(row.draft);
  if (data !== undefined) refuseUnknownAnswers(row.draft, data, timeMembers);
  const answers = data === undefined ? undefined : (await takeAnswers(row.draft, data, { locale, team: scope.team })).values;
  const outputs: OutputTrial[] = [];
  for (const examined of await examineOutputs(trying)) outputs.push(await tryOutput(trying, examined, answers));
  return { outputs };
}

async function tryOutput(trying: Trying, examined: ExaminedOutput, answers: Record<string, unknown> | undefined): Promise<OutputTrial> {
  const { scope, definition } = trying;
  const { output, at, target, state, errors } = examined;
  const { id, make, when } = output;
  const refused = [...(await errorsOf(async () => requireScopesOf(scope.actor, [output]), at)), ...errors];
  if (!answers || !target || refused.length > 0) {
    const warnings = answers ? [] : await warningsOfOutput(trying, examined);
    const problems = [...refused.map(problemOf('error')), ...warnings.map(problemOf('warning'))];
    return { id, make, ok: refused.length === 0, problems };
  }
  const values = valuesOf(definition, answers);
  if (when !== undefined && !holds(when, values.valueOf)) return { id, make, ok: true, isSkipped: true, problems: [] };
  const filled = applyMapping(target.mapping, values);
  const found = await errorsOf(() => tryValues(trying, output, state, filled), target.at);
  return { id, make, ok: found.length === 0, problems: found.map(problemOf('error')), values: filled };
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
  if (make === 'document') await templates().render(scope, { id: templateId, version: Number(state) }, values);
  else if (make === 'workflow')
    await requireStartable(scope, template, { parameters: values, ...(documents.length === 0 ? {} : { documents }) });
  else await requireSubmittable(scope, await bindableRegistry(scope, registryId), { data: values, pending });
}

async function errorsOf(work: () => Promise<void>, at: string): Promise<MappingFinding[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return errorsIn(error, at);
  }
}

const problemOf =
  (severity: TrialProblem['severity']) =>
  ({ pointer, reason, rule, example }: MappingFinding): TrialProblem => ({
    pointer,
    reason,
    rule,
    severity,
    ...(example === undefined ? {} : { example }),
  });
