/** The model that agents use: one request at a time over guarded connections, with error codes for failures. */
export type { Answer, AskModel, OfferedTool, Prompt } from './ask.ts';
export { ModelFailure } from './failure.ts';
export { openModel } from './open.ts';
export { requestWithRetry } from './retry-policy.ts';
