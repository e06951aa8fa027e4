import process from 'node:process';
import type { Logger } from 'pino';

/**
 * Node ends the process when it collects a file that was left open (a `FileHandle` that nobody closed, ERR_INVALID_STATE): by then it is closed, and
 * nothing else is amiss. Here such a fault of ours is an error in the log, so that whoever finds a way to it does not end the service for
 * all. Any other exception that nobody caught ends the process, as ever.
 */
export function outliveLeakedFiles(log: Pick<Logger, 'error'>): void {
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_INVALID_STATE' && error.message.includes('FileHandle')) {
      log.error({ err: error }, 'a file was left open: please report it');
      return;
    }
    process.stderr.write(`${error.stack ?? String(error)}\n`);
    process.exit(1);
  });
}
