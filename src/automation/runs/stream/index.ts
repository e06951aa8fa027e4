/** What happens in a run, told as it happens: each event has its number, so that whoever was cut off goes on where they were. */
export { tell } from './publish.ts';
export { Followers } from './subscribers.ts';
export { openTexts, type Texts } from './texts.ts';
export { followRun } from './subscribe.ts';
export { eventsAfter } from './queries.ts';
