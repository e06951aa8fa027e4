import { resolveText, localesOf, type Condition, conditionText } from '#fields';
import { readableRegistry } from '#registries';
import {
  dependenciesOfSteps,
  type DiagramNode,
  drawDiagram,
  graphOf,
  type Layouts,
  type Look,
  stepsOfTemplate,
  endpointsOfWorkflows,
} from '#workflows';
import type { ReadScope } from '../../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import type { Definition } from '../schemas.ts';
import type { Output } from './schemas.ts';
import { unlessHidden } from './targets.ts';
import type { TemplatesForForms } from './templates.ts';
import { firstCharacters } from '../../../platform/text.ts';

/** A box of the diagram and the boxes that lead to it. */
type ChainBox = DiagramNode & { id: string; depends_on: string[] };

const looks = {
  form: { fill: '#dbeafe', edge: '#1d4ed8', text: '#1e40af', mark: '▤' },
  document: { fill: '#fef9c3', edge: '#a16207', text: '#854d0e', mark: '¶' },
  workflow: { fill: '#ede9fe', edge: '#6d28d9', text: '#5b21b6', mark: '⇢' },
  step: { fill: '#f8fafc', edge: '#64748b', text: '#475569', mark: '○' },
  envelope: { fill: '#fce7f3', edge: '#be185d', text: '#9d174d', mark: '✉' },
  record: { fill: '#dcfce7', edge: '#15803d', text: '#166534', mark: '▦' },
  webhook: { fill: '#ffedd5', edge: '#c2410c', text: '#9a3412', mark: '↗' },
} as const satisfies Record<string, Look>;

/** The most steps in one diagram. A workflow with more shows their number. */
const maxSteps = 200;
const maxEndpoints = 10;
/** The characters of the second text of a box. */
const maxCaption = 36;

type Drawing = { templates: TemplatesForForms; scope: ReadScope; definition: Definition; left: number };

/**
 * Draws the results of a submission of the draft: documents, workflows with their steps, envelopes, records and webhooks. Names that the caller
 * cannot read are absent. Errors: 404.
 */
export async function drawChain(templates: TemplatesForForms, layouts: Layouts, scope: ReadScope, id: string): Promise<string> {
  const { row } = await readableInterface(scope, id);
  const [locale] = localesOf(row.draft);
  const title = resolveText(row.draft.title, locale, locale);
  const drawing = { templates, scope, definition: row.draft, left: maxSteps };
  const nodes: ChainBox[] = [nodeOf('form', '', { name: title, caption: `form · ${row.status}` }, [])];
  for (const output of outputsOfChain(row.draft.config)) nodes.push(...(await nodesOf(drawing, output)));
  const graph = graphOf(nodes);
  const name = new Map(nodes.map((node) => [node.id, node.name]));
  const steps = nodes.map((node) => {
    const after = node.depends_on.flatMap((one) => name.get(one) ?? []);
    return `${node.name} (${node.caption})${after.length === 0 ? '' : `, after ${after.join(' and ')}`}.`;
  });
  const layout = await layouts.of(scope.team, graph);
  return drawDiagram({ title: `What follows from a submission of “${title}”`, description: steps.join(' '), nodes, graph, layout });
}

/** Returns the outputs of a form, and those of the settings that they replace. */
function outputsOfChain({
  then,
  createsDocument,
  startsTemplate,
  bindsRegistryTypeId,
  bindsRegistryPending,
}: Definition['config']): Output[] {
  if (then !== undefined && then.length > 0) return then;
  const documents = createsDocument ? ['document'] : [];
  return [
    ...documents.map((id): Output => ({ id, make: 'document' })),
    ...(startsTemplate === undefined ? [] : [{ id: 'workflow', make: 'workflow', template: startsTemplate, documents } satisfies Output]),
    ...(bindsRegistryTypeId === undefined
      ? []
      : [{ id: 'record', make: 'record', registryId: bindsRegistryTypeId, pending: bindsRegistryPending === true } satisfies Output]),
  ];
}

function nodeOf(
  kind: keyof typeof looks,
  id: string,
  { name, caption, when }: { name: string; caption: string; when?: Condition | undefined },
  after: readonly string[],
): ChainBox {
  const look = { ...looks[kind], ...(when ? { dashed: true as const } : {}) };
  const condition = when && `if ${conditionText(when)}`;
  const said = condition === undefined ? caption : firstCharacters(`${caption} · ${condition}`, maxCaption);
  return {
    id,
    depends_on: [...after],
    name,
    caption: said,
    details: [`${name}: ${caption}`, ...(condition === undefined ? [] : [firstCharacters(condition, 500)])],
    look,
  };
}

async function nodesOf(drawing: Drawing, output: Output): Promise<ChainBox[]> {
  const { id, make, when, needs = [], documents = [], pending = false, template = '', registryId = '' } = output;
  const { scope } = drawing;
  const after = [...needs, ...documents].length === 0 ? [''] : [...needs, ...documents];
  if (make === 'document') return [nodeOf(make, id, { name: await nameOfDocument(drawing, output), caption: 'document', when }, after)];
  if (make === 'record') {
    const name = await unlessHidden(readableRegistry(scope, registryId).then(({ registry }) => registry.name));
    const caption = pending ? 'record · to approve' : 'record';
    return [nodeOf(make, id, { name: name ?? id, caption, when }, after)];
  }
  return workflowNodes(drawing, { id, template, when, after });
}

async function nameOfDocument({ templates, scope }: Drawing, { id, templateId, title }: Output): Promise<string> {
  if (title !== undefined && 'text' in title) return title.text;
  if (templateId === undefined) return 'Answers';
  return (await unlessHidden(templates.read(scope, templateId).then(({ name }) => name))) ?? id;
}

type Starting = { id: string; template: string; when: Condition | undefined; after: string[] };

/** Returns a workflow with its steps. The steps of a template that the caller cannot read are absent. */
async function workflowNodes(drawing: Drawing, { id, template, when, after }: Starting): Promise<ChainBox[]> {
  const { scope } = drawing;
  const steps = (holds(scope, 'workflows:read') ? await unlessHidden(stepsOfTemplate(scope, template)) : undefined) ?? [];
  const fits = steps.length <= drawing.left;
  const caption = fits ? 'workflow' : `workflow · ${steps.length} steps`;
  const workflow = nodeOf('workflow', id, { name: template, caption, when }, after);
  if (!fits) return [workflow];
  drawing.left -= steps.length;
  const before = dependenciesOfSteps(steps);
  const endpoints = holds(scope, 'webhooks:read') ? await endpointsOfWorkflows(scope) : { byId: new Map<string, string>(), ofEnd: [] };
  const named = new Set(before.flat());
  const last = steps.flatMap((step) => (named.has(step.id) ? [] : [step.id]));
  const signed = new Set(steps.flatMap((step) => (step.type === 'signature' ? [step.id] : [])));
  // What follows from a signature step follows from its envelope.
  const idOf = (step: string) => `${id} ${signed.has(step) ? 'envelope ' : ''}${step}`;
  return [
    workflow,
    ...steps.flatMap((step, at) => {
      const earlier = (before[at] ?? []).map(idOf);
      const kind = step.type === 'webhook' || step.type === 'record' || step.type === 'document' ? step.type : 'step';
      const endpoint = endpoints.byId.get(String(step.config?.endpointId).toLowerCase());
      const said = endpoint === undefined ? step.type : `${step.type} · ${endpoint}`;
      const own = {
        name: step.name ?? step.id,
        caption: firstCharacters(said, maxCaption),
        when: step.config?.when as Condition | undefined,
      };
      const node = nodeOf(kind, `${id} ${step.id}`, own, earlier.length === 0 ? [id] : earlier);
      if (!signed.has(step.id)) return [node];
      const signers = Array.isArray(step.config?.signers) ? step.config.signers.length : 0;
      const name = signers === 0 ? 'Envelope' : signers === 1 ? '1 signer' : `${signers} signers`;
      return [node, nodeOf('envelope', idOf(step.id), { name, caption: 'envelope' }, [node.id])];
    }),
    ...endpoints.ofEnd
      .slice(0, maxEndpoints)
      .map((name, at) =>
        nodeOf('webhook', `${id} end ${at}`, { name, caption: 'workflow.completed' }, last.length === 0 ? [id] : last.map(idOf)),
      ),
  ];
}

const holds = ({ actor }: ReadScope, scope: string) => !('scopes' in actor) || actor.scopes.has(scope);
