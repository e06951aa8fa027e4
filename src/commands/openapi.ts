import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { startService } from '../service.ts';

export const usage = `Usage: chancery openapi

Prints the API description (OpenAPI 3.1), generated from the schemas of the routes.
`;

/** Prints the API description, generated from the schemas of the routes. Starts the service on a temporary database. */
export async function run(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-openapi-'));
  // As root, the database runs as another user, which needs access to this folder.
  await chmod(dataDir, 0o755);
  try {
    const config = { ...readConfig({ DATA_DIR: dataDir, PORT: '0' }), BASE_URL: readConfig(process.env).BASE_URL };
    const service = await startService({ config, role: 'api', log: createLogger('error') });
    const response = await service.app.inject({ url: '/openapi.json' });
    await service.stop();
    process.stdout.write(`${JSON.stringify(JSON.parse(response.body), null, 2)}\n`);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return 0;
}
