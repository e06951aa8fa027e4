/** Whom a command hears and answers: the environment that holds its settings, and three streams. A process is one. */
export type Operator = {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};
