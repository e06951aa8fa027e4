/**
 * Runs a command of the service, such as `['serve']`, with the environment variables and streams of `process`. Returns the exit code: 0, 1 for an error,
 * 2 for invalid arguments.
 */
export function carryOut(args: readonly string[], operator: Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>): Promise<number>;
