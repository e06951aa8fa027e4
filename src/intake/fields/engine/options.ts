import type { Option } from './field.ts';

const known = new WeakMap<readonly Option[], ReadonlyMap<string, Option>>();

/** What a field offers, by what answers keep of it: a form may offer thousands, and an answer may be thousands of them. */
export function optionsById(options: readonly Option[]): ReadonlyMap<string, Option> {
  const found = known.get(options);
  if (found) return found;
  // Of two that are called the same, as a draft may have them, the first is meant.
  const made = new Map(options.toReversed().map((option) => [option.id, option]));
  known.set(options, made);
  return made;
}
