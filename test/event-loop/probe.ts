/**
 * Measures the turns of the event loop of a service in CPU time. The service loads this with `--import`. An unreferenced immediate runs once a turn.
 * The CPU time of the thread since the previous immediate is the time of the turn.
 */
import process from 'node:process';

let before = process.threadCpuUsage();
let [longestMs, allMs] = [0, 0];

function look(): void {
  const { user, system } = process.threadCpuUsage(before);
  const turnMs = (user + system) / 1_000;
  longestMs = Math.max(longestMs, turnMs);
  allMs += turnMs;
  before = process.threadCpuUsage();
  setImmediate(look).unref();
}
setImmediate(look).unref();

process.on('message', (message) => {
  if (message !== 'turns') return;
  // The message can arrive in the turn that sent the response, which ends at the next immediate.
  setImmediate(() => {
    const turns = { longestMs, allMs };
    // Excludes the turn of this message.
    setImmediate(() => {
      [longestMs, allMs] = [0, 0];
      process.send?.(turns);
    });
  });
});
process.channel?.unref();
