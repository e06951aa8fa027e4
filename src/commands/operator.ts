/** Thrown for wrong usage of a command. The command line prints the message and then the usage of the command. */
export class UsageError extends Error {}

/** The environment and the standard streams of a command. The global `process` implements it. */
export type Operator = {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};
