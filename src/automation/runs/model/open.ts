import { createAddressPolicy, createGuardedStream, type GuardedStream } from '#webhooks';
import type { ModelConfig } from '../config.ts';
import { type AskModel, createAsk } from './ask.ts';
import { askNobody } from './simulated.ts';

const answerBytes = 16 * 1024 * 1024;
const quietMs = 60_000;

/** What asks the model that the operator has set up, over connections that the operator’s own address alone may lead into a private network. */
export function openModel(config: ModelConfig): { ask: AskModel; close: () => Promise<unknown> } {
  if (config.protocol === 'simulated') return { ask: askNobody, close: async () => undefined };
  const policy = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });
  const guarded: GuardedStream = createGuardedStream({ policy, timeoutMs: Math.min(quietMs, config.timeoutMs), answerBytes });
  return { ask: createAsk(config, guarded), close: () => guarded.close() };
}
