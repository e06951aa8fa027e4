import type { DefinitionError } from '../limits.ts';

/** An error or a warning of a mapping. `example` is the JSON of a value that the place rejects. */
export type MappingFinding = DefinitionError & { example?: string };

/** Adds the example of a finding to its reason. */
export const inReason = ({ example, ...error }: MappingFinding): DefinitionError =>
  example === undefined ? error : { ...error, reason: `${error.reason}, for example ${example}` };

/** Returns a name as a part of a JSON pointer. */
export const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

export const finding = (pointer: string, reason: string, rule: string): MappingFinding => ({
  name: pointer.slice(pointer.lastIndexOf('/') + 1),
  pointer,
  reason,
  rule,
});

const maxExample = 100;

export function withExample(one: MappingFinding, example: unknown): MappingFinding {
  if (example === undefined) return one;
  const text = JSON.stringify(example);
  return { ...one, example: text.length > maxExample ? `${text.slice(0, maxExample)}…` : text };
}
