/** What is wrong with a definition, in the shape in which problems name it. */
export type DefinitionError = { name: string; pointer: string; reason: string; rule: string };

/** How large a definition may be, and what is answered by it. */
export const definitionLimits = {
  /** As JSON, in bytes. */
  bytes: 512 * 1024,
  fields: 500,
  conditionDepth: 16,
  /** What is submitted, as JSON, in bytes. */
  dataBytes: 64 * 1024,
  pages: 100,
  /** Steps of all patterns of a form for the longest answers: at most 250 ms of CPU time in the thread for patterns. */
  patternSteps: 5_000_000,
};
