import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { carryOut } from '../src/commands/command-line.ts';
import type { Chancery } from './harness.ts';

/** The result of a command: the exit code and the output. */
export type CommandOutput = { code: number; stdout: string; stderr: string };

/** The facts about a service that a command needs. */
export type ServiceFacts = Pick<Chancery, 'databaseUrl' | 'masterKey'> & { config: Pick<Chancery['config'], 'BASE_URL' | 'DATA_DIR'> };

/** Returns the environment variables with which a command finds the database and the keys of a started service. */
export const settingsOf = ({ databaseUrl, masterKey, config }: ServiceFacts): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  MASTER_KEY: masterKey,
  BASE_URL: config.BASE_URL,
  DATA_DIR: config.DATA_DIR,
  NODE_ENV: 'test',
});

/** Runs a command of the command line in this process. A new process of `packages/chancery/bin/chancery.js` takes most of a second to load the service. */
export async function typedCommand(args: readonly string[], env: Record<string, string>, input = ''): Promise<CommandOutput> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const code = await carryOut(args, { env: { PATH: process.env.PATH, ...env }, stdin: Readable.from([input]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, complaints] = await output;
  return { code, stdout: out, stderr: complaints };
}

/** Runs the command in a separate process, as an operator does. One such test for each command is enough. */
export function commandAsProcess(args: readonly string[], env: Record<string, string>, input = ''): CommandOutput {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['packages/chancery/bin/chancery.js', ...args], {
    encoding: 'utf8',
    input,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
  });
  return { code: status ?? -1, stdout, stderr };
}
