import type { Chancery } from './harness.ts';

/** The services that the test files of this process share, by their options. */
const shared = new Map<string, Promise<Chancery>>();

/** Returns the shared service of that name. The first call starts it. */
export function shareChancery(name: string, start: () => Promise<Chancery>): Promise<Chancery> {
  const known = shared.get(name) ?? start();
  shared.set(name, known);
  return known;
}

/** Stops the shared services. Rejects like `stop` of a service. */
export async function stopShared(): Promise<void> {
  for (const service of shared.values()) await (await service).stop();
}
