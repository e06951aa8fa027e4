import type { MappingInputs } from '#fields';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { KnownForms, NamedStep } from './names.ts';
import type * as queries from './queries.ts';

/** The workflow that each transaction has started. */
const started = new WeakMap<object, queries.WorkflowRow>();

/**
 * Caches the row of the workflow that a transaction starts, for the listeners of its event. Without the cache each listener would read the workflow
 * again.
 */
export function cacheRow({ db }: Scope, row: queries.WorkflowRow): void {
  started.set(db, row);
}

/** Returns the cached row of the workflow that the transaction has started. */
export function cachedRow({ db }: Pick<ReadScope | Scope, 'db'>, id: string): queries.WorkflowRow | undefined {
  const row = started.get(db);
  return row?.id === id ? row : undefined;
}

/** A new or changed step of a template, with its place and the names that it can use. Its parameters have sample values. */
export type TemplateStepToCheck = NamedStep & { position: number; inputs: MappingInputs };
/** The steps of the template that each transaction saves. */
const saved = new WeakMap<object, readonly TemplateStepToCheck[]>();

/** Caches the steps of a template for the listeners that compare values with their targets. */
export function cacheTemplateSteps({ db }: Pick<Scope, 'db'>, steps: readonly TemplateStepToCheck[]): void {
  saved.set(db, steps);
}

/** Returns the new and changed steps of the template that the transaction saves. */
export const cachedTemplateSteps = ({ db }: Pick<Scope, 'db'>): readonly TemplateStepToCheck[] => saved.get(db) ?? [];

type Checked = { row: queries.WorkflowRow; forms: KnownForms };
/** The workflow whose names each transaction has checked, with the fields of its forms. */
const checked = new WeakMap<object, Checked>();

/** Caches the fields of the forms in a workflow for the listeners that compare values with their targets. */
export function cacheFields({ db }: Pick<Scope, 'db'>, found: Checked): void {
  checked.set(db, found);
}

/** Returns the workflow whose names the transaction has checked. */
export function cachedFields({ db }: Pick<Scope, 'db'>, id: string): Checked {
  const found = checked.get(db);
  if (found?.row.id !== id) throw new Error(`the names in the workflow ${id} are not checked before its values`);
  return found;
}
