import { asAssignee } from '../roles.ts';
import type { StepRow, WorkflowRow } from '../queries.ts';
import type { StepStatus } from '../steps.ts';
import { box, type DiagramNode, drawDiagram, type Look } from './drawing.ts';
import { arrowsOf, type Graph, type Layout } from './graph.ts';

const looks: Readonly<Record<StepStatus, Look>> = {
  pending: { fill: '#f8fafc', edge: '#64748b', text: '#475569', mark: '○', dashed: true },
  active: { fill: '#dbeafe', edge: '#1d4ed8', text: '#1e40af', mark: '▶', bold: true },
  completed: { fill: '#dcfce7', edge: '#15803d', text: '#166534', mark: '✓' },
  rejected: { fill: '#fee2e2', edge: '#b91c1c', text: '#991b1b', mark: '✗' },
  failed: { fill: '#ffedd5', edge: '#c2410c', text: '#9a3412', mark: '!' },
  skipped: { fill: '#f1f5f9', edge: '#94a3b8', text: '#475569', mark: '–', dashed: true },
};

const nameOf = (step: Pick<StepRow, 'name' | 'type'>) => step.name ?? step.type;

/** Returns the boxes and arrows of steps. */
export function graphOf(steps: readonly { id: string; depends_on: readonly string[] }[]): Graph {
  return { boxes: steps.map(() => box), arrows: arrowsOf(steps) };
}

function nodeOf(step: StepRow): DiagramNode {
  const people = step.roles.length + step.groups.length + step.assignees.length;
  const details = [
    `${nameOf(step)}: ${step.type}, ${step.status}${step.outcome === null ? '' : ` (${step.outcome})`}`,
    ...(step.roles.length > 0 ? [`for ${step.roles.map(asAssignee).join(', ')}`] : []),
    ...(people > 1 && step.mode === 'any' ? ['one assignee is enough'] : []),
  ];
  const isDone = ['completed', 'skipped'].includes(step.status);
  return { name: nameOf(step), caption: `${step.status} · ${step.type}`, details, look: looks[step.status], isDone };
}

/** Draws a workflow: its steps from left to right, each with name, type and state, and an arrow from each step to its dependents. */
export function diagramOf(workflow: Pick<WorkflowRow, 'name' | 'status' | 'steps'>, graph: Graph, layout: Layout): string {
  return drawDiagram({ title: `${workflow.name}: ${workflow.status}`, nodes: workflow.steps.map(nodeOf), graph, layout });
}
