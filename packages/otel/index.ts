import type { Attributes, Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** The values of `OTEL_TRACES_SAMPLER`. `ratio` is the share of traces that the two ratio samplers keep. */
export const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} as const satisfies Record<string, (ratio: number) => Sampler>;

export type TracingOptions = {
  /** The URL of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  /** The attributes of the process, such as `service.name`. */
  resource: Attributes;
  sampler: keyof typeof samplers;
  ratio: number;
  /** Milliseconds between exports. */
  delayMs: number;
  version: string;
  /** Called when an export fails after one that succeeded. */
  onFailure: (error: Error | undefined) => void;
};

export type StartedTracing = {
  tracer: Tracer;
  /** Exports the remaining spans, and ends the export. */
  stop: () => Promise<void>;
};

/** Starts the export of spans in batches. The exporter also reads `OTEL_EXPORTER_OTLP_CERTIFICATE`, `_COMPRESSION` and `_TIMEOUT` from the environment. */
export function startTracing({ endpoint, headers, resource, sampler, ratio, delayMs, version, onFailure }: TracingOptions): StartedTracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resource)),
    sampler: samplers[sampler](ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, onFailure), scheduledDelayMillis: delayMs })],
  });
  return { tracer: provider.getTracer('chancery', version), stop: () => provider.shutdown() };
}

/** Reports the first of several failed exports. The SDK reports none. */
function reporting(exporter: SpanExporter, onFailure: TracingOptions['onFailure']): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isFailing) onFailure(result.error);
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
