import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { startService } from '../service.ts';

export const usage = `Usage: chancery openapi

Prints the API description (OpenAPI 3.1), made from the schemas of the routes.
`;

/** Prints the API description, made from the schemas of the routes. Uses a database of its own, for a moment. */
export async function run(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-openapi-'));
  // Open to the user that root runs the database as, so that the cluster stays in it.
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
