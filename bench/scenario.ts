import type { Ask } from './load.ts';
import type { World } from './world.ts';

/** A scenario: the load of each side and the required ratio of throughput. */
export type Scenario = {
  name: string;
  target: number;
  /** Maximum ratio of the p99 to the p99 of the floor. */
  p99Target?: number;
  /** `beside` is a concurrent load of a few clients that is not counted. */
  prepare(world: World): Promise<{ ours: Ask; floor: Ask; beside?: Ask }>;
};
