import type { Option } from './field.ts';

const known = new WeakMap<readonly Option[], ReadonlyMap<string, Option>>();

/** Returns the options by identifier. The result is cached, because forms and answers can have thousands of options. */
export function optionsById(options: readonly Option[]): ReadonlyMap<string, Option> {
  const found = known.get(options);
  if (found) return found;
  // In a draft two options can have the same identifier. The first one counts.
  const made = new Map(options.toReversed().map((option) => [option.id, option]));
  known.set(options, made);
  return made;
}
