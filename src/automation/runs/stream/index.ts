/** The event stream of a run. Each event has a number, so that a client can continue after a lost connection. */
export { addRunEvent } from './publish.ts';
export { Followers } from './subscribers.ts';
export { openTexts, type Texts } from './texts.ts';
export { followRun } from './subscribe.ts';
export { eventsAfter } from './queries.ts';
