import { boundedCache } from '../../../platform/bounded-cache.ts';
import { problems } from '../../../platform/problems.ts';

const perSecond = 25;
const burst = 250;

/** Limits the requests of each directory on this node: 25 a second, and 250 at once after a pause. `now` is in milliseconds. */
export function limitDirectories(now: () => number = () => performance.now()): (directory: string) => void {
  /** The time at which all requests of a directory would be done at an even rate (a leaky bucket: GCRA). */
  const paces = boundedCache<number>(10_000);
  return (directory) => {
    const at = now();
    const next = Math.max(at, paces.get(directory) ?? 0) + 1_000 / perSecond;
    const wait = next - at - (burst * 1_000) / perSecond;
    if (wait > 0)
      throw problems.rate_limited(`A directory sends at most ${perSecond} requests a second. Wait and send the request again.`, {
        headers: { 'retry-after': String(Math.ceil(wait / 1_000)) },
      });
    paces.set(directory, next);
  };
}
