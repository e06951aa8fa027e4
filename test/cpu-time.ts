import process from 'node:process';

/** Runs work and returns the CPU time that this process used for it, in milliseconds. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
