/** What was typed makes no sense: the sentence says why, and how the command is called is shown below it. */
export class UsageError extends Error {}

/** Whom a command hears and answers: the environment that holds its settings, and three streams. A process is one. */
export type Operator = {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};
