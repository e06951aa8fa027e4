import process from 'node:process';

/** Runs work and returns the processor time that this process used meanwhile, in milliseconds. Other processes do not add to it, as they do to elapsed time. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
