import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { PlatformConfig } from '../config.ts';
import { version } from '../entry-points.ts';
import { ConfigError } from '../settings.ts';
import type { Tracer } from './tracing.ts';

const packageName = '@chancery/otel';

/** Loads the OpenTelemetry SDK, only if the operator set a collector. `stop` exports the remaining spans. */
export async function openTracing(
  config: PlatformConfig,
  { role, log }: { role: string; log: Logger },
): Promise<{ tracer: Tracer; stop: () => Promise<void> } | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import('@chancery/otel').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT requires the package ${packageName}. Install it beside Chancery with \`npm install ${packageName}@${version}\`, or unset the setting.`,
    );
  });
  const { tracer, stop } = startTracing({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    resource: {
      'service.instance.id': randomUUID(),
      'service.version': version,
      'chancery.role': role,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': config.OTEL_SERVICE_NAME,
    },
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    delayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    version,
    onFailure: (error) => log.warn({ err: error }, 'traces cannot be exported; spans are discarded until the collector accepts them'),
  });
  return { tracer, stop };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${packageName}'`);
