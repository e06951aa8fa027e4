import type { Ask } from './load.ts';
import type { World } from './world.ts';

/** A scenario: what is asked of each side, and which ratio of throughput is aimed at. */
export type Scenario = {
  name: string;
  target: number;
  /** At most so many times the floor's p99. */
  p99Target?: number;
  /** `beside`: what a few clients ask meanwhile, uncounted. */
  prepare(world: World): Promise<{ ours: Ask; floor: Ask; beside?: Ask }>;
};
