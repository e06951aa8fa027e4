/**
 * Runs services for the test files of one process, in a separate process that `hosted-service.ts` starts and calls. The test runner tracks each
 * promise of its own process, which costs a service a quarter of its CPU time.
 */
import process from 'node:process';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { type Role, type Service, startService } from '../src/service.ts';
import { testDatabaseLimits } from './database-limits.ts';

export type HostRequest = { id: number } & (
  | { start: { settings: Record<string, string>; role: Role; describe: boolean } }
  | { stop: number }
);
/** `description` is the text of `/openapi.json`, when the request asks for it. */
export type HostReply = { id: number; address?: string | undefined; description?: string | undefined; error?: string };

/** The running services by the id of the request that started them. */
const services = new Map<number, Service>();

async function carryOut(request: HostRequest): Promise<Omit<HostReply, 'id'>> {
  if ('stop' in request) {
    const service = services.get(request.stop);
    services.delete(request.stop);
    await service?.stop();
    return {};
  }
  const { settings, role, describe } = request.start;
  const config = readConfig(settings);
  const service = await startService({ config, role, log: pino({ level: config.LOG_LEVEL }), databaseLimits: testDatabaseLimits });
  services.set(request.id, service);
  return {
    address: service.address,
    description: describe ? (await service.app.inject({ url: '/openapi.json' })).body : undefined,
  };
}

process.on('message', (request: HostRequest) => {
  carryOut(request).then(
    (result) => process.send?.({ id: request.id, ...result }),
    (error: unknown) => process.send?.({ id: request.id, error: error instanceof Error ? error.message : String(error) }),
  );
});
// The test process has ended.
process.on('disconnect', () => process.exit());
