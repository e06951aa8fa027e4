import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { goTool } from './go-tools.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const path = goTool('versitygw', process.env.VERSITYGW_PATH);

/** Why tests with a third-party S3 server are skipped, or false if they run. */
export const withoutVersitygw: string | false =
  path === undefined && 'versitygw not found: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, or set VERSITYGW_PATH';

export type Versitygw = {
  settings: Record<string, string>;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Returns the names of all objects in the bucket, parts of uploads included. */
  left(): Promise<string[]>;
  stop(): Promise<void>;
};

/** Starts the Versity S3 Gateway on a folder, with one empty bucket. */
export async function startVersitygw(): Promise<Versitygw> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-s3-'));
  const bucket = 'files-of-tests';
  await mkdir(join(folder, bucket));
  const port = await freePort();
  const credentials = { accessKeyId: 'AKIDTESTS', secretAccessKey: randomBytes(16).toString('hex') };
  const child = spawn(path ?? 'versitygw', ['--port', `127.0.0.1:${port}`, '--quiet', '--region', 'eu-test-1', 'posix', folder], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually('the start of the S3 server', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  return {
    credentials,
    settings: {
      STORAGE_URL: `s3://${bucket}/kept?endpoint=${endpoint}&region=eu-test-1`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    left: async () => {
      const entries = await readdir(join(folder, bucket), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
