/** The model that agents ask: one question at a time over guarded connections, with what went wrong as a code. */
export type { Answer, AskModel, OfferedTool, Prompt } from './ask.ts';
export { ModelFailure } from './failure.ts';
export { openModel } from './open.ts';
export { askPatiently } from './retry-policy.ts';
