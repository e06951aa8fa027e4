/** An error of a definition, in the format of problem responses. */
export type DefinitionError = { name: string; pointer: string; reason: string; rule: string };

/** Limits of a definition and its answers. */
export const definitionLimits = {
  /** As JSON, in bytes. */
  bytes: 512 * 1024,
  fields: 500,
  conditionDepth: 16,
  /** The data of a submission, as JSON, in bytes. */
  dataBytes: 64 * 1024,
  pages: 100,
  /** Steps of all patterns of a form for the longest answers: this takes at most 250 ms of CPU time in the pattern thread. */
  patternSteps: 5_000_000,
};
