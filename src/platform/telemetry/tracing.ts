import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { causeCode } from '../errors.ts';

export { type Attributes, SpanKind, type Tracer };

/** A span without its parent. Attributes have no values of users: no addresses, names, texts and tokens. */
export type NewSpan = { name: string; kind: SpanKind; attributes: Attributes };

/**
 * The request, job or delivery that the current code belongs to, with the current span if tracing is on. Connections and timers that it opened
 * keep it after its end.
 */
export type WorkContext = {
  readonly requestId: string | undefined;
  readonly tracer: Tracer | undefined;
  readonly span: Span | undefined;
  /** The whole work. All spans of it share this object. */
  readonly whole: { hasEnded: boolean };
};

const works = new AsyncLocalStorage<WorkContext>();

function currentWork(): WorkContext | undefined {
  const work = works.getStore();
  return work?.whole.hasEnded === true ? undefined : work;
}

/** Returns whether the current work has a span. */
export const isTraced = (): boolean => currentWork()?.span !== undefined;

/** Begins work. Its span continues the trace of `traceparent`. */
export function beginWork(
  tracer: Tracer | undefined,
  { name, traceparent, requestId, ...options }: NewSpan & { traceparent?: string | null | undefined; requestId?: string },
): WorkContext {
  const span = tracer?.startSpan(name, options, contextOf(traceparent));
  return { requestId, tracer, span, whole: { hasEnded: false } };
}

/** Runs code as part of work. */
export const inWork = <T>(work: WorkContext, run: () => T): T => works.run(work, run);

/** Ends work and its span. */
export function endWork({ span, whole }: WorkContext, attributes: Attributes = {}): void {
  whole.hasEnded = true;
  if (!span) return;
  endSpan(span, attributes);
}

/** Runs work with its own span, if tracing is on. `describe` returns attributes of the result. An `error.type` marks the span as failed. */
export async function traced<T>(
  tracer: Tracer | undefined,
  span: NewSpan & { traceparent: string | null },
  run: () => Promise<T>,
  describe: (result: T) => Attributes = () => ({}),
): Promise<T> {
  if (!tracer) return run();
  const work = beginWork(tracer, span);
  let attributes: Attributes = {};
  try {
    const result = await inWork(work, run);
    attributes = describe(result);
    return result;
  } catch (error) {
    attributes = failure(error);
    throw error;
  } finally {
    endWork(work, attributes);
  }
}

/** Runs a part of the current work with its own span, if tracing is on. Calls `run` synchronously. */
export function inSpan<T>({ name, ...options }: NewSpan, run: () => Promise<T>): Promise<T> {
  const work = currentWork();
  if (!work?.span || !work.tracer) return run();
  const span = work.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, work.span));
  return works.run({ ...work, span }, run).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      endSpan(span, failure(error));
      throw error;
    },
  );
}

/** Marks the current span as failed, for work that handles its error. */
export function markFailed(error: unknown): void {
  currentWork()?.span?.setAttributes(failure(error)).setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the identifiers of the current work, for its log entries. */
export function workIds(): { requestId?: string; trace_id?: string; span_id?: string } {
  const work = currentWork();
  if (!work) return {};
  const position = work.span?.spanContext();
  return {
    ...(work.requestId === undefined ? {} : { requestId: work.requestId }),
    ...(position && { trace_id: position.traceId, span_id: position.spanId }),
  };
}

/** Returns the current position in the trace as the value of a `traceparent` header (W3C Trace Context); undefined while tracing is off. */
export function currentTraceparent(): string | undefined {
  const position = currentWork()?.span?.spanContext();
  return position && `00-${position.traceId}-${position.spanId}-${position.traceFlags.toString(16).padStart(2, '0')}`;
}

const form = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Returns the trace ID, span ID and flags of a `traceparent` header; undefined if it is malformed. */
export function parseTraceparent(value: unknown): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId, spanId, flags] = (typeof value === 'string' && form.exec(value)) || [];
  return traceId && spanId && flags ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 } : undefined;
}

function contextOf(traceparent: string | null | undefined): Context {
  const position = parseTraceparent(traceparent);
  return position ? trace.setSpanContext(ROOT_CONTEXT, { ...position, isRemote: true }) : ROOT_CONTEXT;
}

/** Describes an error by its code or class. Its message can have values of users. */
function failure(error: unknown): Attributes {
  const code = causeCode(error);
  return { 'error.type': /^\w{1,64}$/.test(code) ? code : error instanceof Error ? error.constructor.name : '_OTHER' };
}

function endSpan(span: Span, attributes: Attributes): void {
  span.setAttributes(attributes);
  if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
