import type { WorkflowTemplate } from '@chancery/client';
import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api.ts';
import { labelOf } from '../../parts/schema-form/schema.ts';
import { useTexts } from '../../texts/texts.ts';
import { libraryTexts } from './library-texts.ts';

/** A step of a template. Its texts can contain parameters as `{{name}}`. */
export type TemplateStep = {
  id: string;
  type: string;
  name?: string;
  assignedTo?: string;
  assignees?: string[];
  groups?: string[];
  config?: Record<string, unknown>;
  dueInDays?: number | string;
};
export type TemplateParameter = NonNullable<WorkflowTemplate['parameters']>[number];

export const useTemplates = () =>
  useQuery({ queryKey: ['workflow_template', 'list'], queryFn: () => ok(api.GET('/api/v1/workflows/templates/available')) });

export const stepsOf = ({ steps }: WorkflowTemplate): TemplateStep[] => steps as TemplateStep[];

/** Returns a function that names and describes a template. The templates of the library have texts in each language. */
export function useTemplateWords(): (template: WorkflowTemplate) => { label: string; description: string } {
  const library: Readonly<Record<string, readonly string[]>> = useTexts(libraryTexts);
  return ({ name, description, source }) => {
    const known = source === 'builtin' ? library[name] : undefined;
    const [label = labelOf(name, {}), text = description] = known ?? [];
    return { label, description: text };
  };
}

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Replaces the parameters in a text by their values, or else by what `missing` returns. */
export const filled = (text: string, values: Readonly<Record<string, unknown>>, missing: (name: string) => string): string =>
  text.replaceAll(placeholder, (_, given: string) => {
    const value = values[given.trim()];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : missing(given.trim());
  });
