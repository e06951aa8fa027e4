import { createAddressPolicy, createGuardedStream, type GuardedStream } from '#webhooks';
import type { ModelConfig } from '../config.ts';
import { type AskModel, createAsk } from './ask.ts';
import { askSimulatedModel } from './simulated.ts';

const answerBytes = 16 * 1024 * 1024;
const quietMs = 60_000;

/** Opens the configured model. Its guarded connections can lead into a private network, because the operator configured the address. */
export function openModel(config: ModelConfig): { ask: AskModel; close: () => Promise<unknown> } {
  if (config.protocol === 'simulated') return { ask: askSimulatedModel, close: async () => undefined };
  const policy = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });
  const guarded: GuardedStream = createGuardedStream({ policy, timeoutMs: Math.min(quietMs, config.timeoutMs), answerBytes });
  return { ask: createAsk(config, guarded), close: () => guarded.close() };
}
