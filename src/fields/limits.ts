/** What is wrong with a definition, in the shape in which problems name it. */
export type DefinitionFault = { name: string; pointer: string; reason: string; rule: string };

/** How large a definition may be, and what is answered by it. */
export const definitionLimits = {
  /** As JSON, in bytes. */
  bytes: 512 * 1024,
  fields: 500,
  conditionDepth: 16,
  /** What is submitted, as JSON, in bytes. */
  dataBytes: 64 * 1024,
  pages: 100,
  /** Steps that all patterns of a form may take together for the longest answers: about a twelfth of a second. */
  patternSteps: 10_000_000,
};
