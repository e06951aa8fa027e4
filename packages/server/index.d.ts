import type { Readable, Writable } from 'node:stream';

/** The environment variables and the streams of a command. `process` is one. */
export type Operator = { env: Record<string, string | undefined>; stdin: Readable; stdout: Writable; stderr: Writable };

/** Runs a command of the service, such as `['serve']`. Returns the exit code: 0, 1 for an error, 2 for invalid arguments. */
export function carryOut(args: readonly string[], operator: Operator): Promise<number>;
